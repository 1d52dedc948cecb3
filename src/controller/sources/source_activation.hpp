// SPDX-License-Identifier: Apache-2.0
// SourceActivation: watches kinds only while they are needed.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <optional>

#include <pintle/base/log.hpp>
#include <pintle/base/mutex.hpp>
#include <pintle/cache/informer.hpp>
#include <pintle/http/transport.hpp>

#include "first_lists.hpp"
#include "served_kinds.hpp"

namespace pintle {

// Counts the needs of each informer. The first need begins the list and watch. After the last one was released, the
// watch continues for `linger`: the reconciles that remove the children then find them in the cache, and a condition
// that changes often does not cause a list each time. Thread-safe.
class SourceActivation {
 public:
  static constexpr Duration linger = std::chrono::minutes(1);

  // All must outlive this object.
  SourceActivation(http::Transport& transport, ServedKinds& served, FirstLists& first_lists, Log log);
  ~SourceActivation() { stop(); }
  SourceActivation(const SourceActivation&) = delete;
  SourceActivation& operator=(const SourceActivation&) = delete;

  // Suspends the informer until it is needed. Must be called before Informer::start(). If `resource` is empty, the
  // server does not serve the kind yet. The informer must live until stop() returns.
  void add(Informer& informer, std::optional<Resource> resource, bool may_never_come);
  // No effect for an informer that was not added. Neither blocks; the threads of the dispatcher may call them.
  void need(const Informer& informer);
  void release(const Informer& informer);
  // No informer is begun or suspended any more. Idempotent.
  void stop();

 private:
  struct Source {
    Informer* informer = nullptr;
    std::optional<Resource> resource{};
    bool may_never_come = false;
    std::size_t needs = 0;
    bool is_active = false;
    std::optional<http::Transport::TimerId> timer{};  // to the suspension
  };
  // Timers keep it alive.
  struct State {
    explicit State(Executor& executor) : mutex(executor) {}
    Mutex mutex;
    std::map<const Informer*, Source> sources PINTLE_GUARDED_BY(mutex);
    bool stopped PINTLE_GUARDED_BY(mutex) = false;
  };
  void suspend_later(Source& source) PINTLE_REQUIRES(state_->mutex);

  http::Transport& transport_;
  ServedKinds& served_;
  FirstLists& first_lists_;
  const Log log_;
  const std::shared_ptr<State> state_;
};

}  // namespace pintle
