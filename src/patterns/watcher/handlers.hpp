// SPDX-License-Identifier: Apache-2.0
// Handlers: the handlers of one resource kind, in the order in which they are called.
#pragma once

#include <memory>
#include <variant>
#include <vector>

#include <pintle/patterns/watcher/reconciler.hpp>
#include <pintle/patterns/watcher/resource_watcher.hpp>

#include "pending_events.hpp"

namespace pintle::watcher {

// The id is unique and never reused.
struct Handler {
  HandlerId id = 0;
  std::variant<std::shared_ptr<ResourceWatcher>, std::shared_ptr<Reconciler>> who{};

  [[nodiscard]] bool is_watcher() const noexcept { return who.index() == 0; }
  [[nodiscard]] ReconcileResult call(const Delivery& delivery, const State& state, Context& context) const;
};

// Thread-safe.
class Handlers {
 public:
  using List = std::vector<Handler>;

  explicit Handlers(Executor& executor) : mutex_(executor), all_(std::make_shared<const List>()) {}

  // Watchers are inserted before reconcilers.
  template <class T>
  void add(std::shared_ptr<T> handler) {
    const MutexLock lock(mutex_);
    List next = *all_;
    const auto at = std::is_same_v<T, ResourceWatcher> ? end_of_watchers(next) : next.end();
    next.insert(at, {++last_id_, std::move(handler)});
    all_ = std::make_shared<const List>(std::move(next));
  }
  // Removes the first handler that is this very object, or all handlers of this type if `all_of_them` is set. Returns
  // the ids of the removed handlers.
  template <class T>
  std::vector<HandlerId> remove(const std::shared_ptr<T>& handler, bool all_of_them) {
    const MutexLock lock(mutex_);
    List next;
    std::vector<HandlerId> removed;
    for (const Handler& one : *all_) {
      const auto* its = std::get_if<std::shared_ptr<T>>(&one.who);
      if (its != nullptr && (all_of_them || (*its == handler && removed.empty()))) {
        removed.push_back(one.id);
      } else {
        next.push_back(one);
      }
    }
    all_ = std::make_shared<const List>(std::move(next));
    return removed;
  }

  // A snapshot of the list.
  [[nodiscard]] std::shared_ptr<const List> list() const {
    const MutexLock lock(mutex_);
    return all_;
  }
  [[nodiscard]] std::optional<Handler> find(HandlerId id) const;

 private:
  static List::iterator end_of_watchers(List& list);

  mutable Mutex mutex_;
  std::shared_ptr<const List> all_ PINTLE_GUARDED_BY(mutex_);
  HandlerId last_id_ PINTLE_GUARDED_BY(mutex_) = 0;
};

}  // namespace pintle::watcher
