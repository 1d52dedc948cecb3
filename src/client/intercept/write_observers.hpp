// SPDX-License-Identifier: Apache-2.0
// WriteObservers: the observers of a client's writes, by kind.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include <pintle/base/mutex.hpp>
#include <pintle/client/write_observer.hpp>
#include <pintle/http/transport.hpp>

namespace pintle {

// Thread-safe. Observers are called without a lock held.
class WriteObservers {
 public:
  explicit WriteObservers(Executor& executor) : mutex_(executor) {}

  // An empty kind: all kinds.
  void add(const GroupVersionKind& kind, std::weak_ptr<WriteObserver> observer);

  // Parses the object in the response to a write. A single observer may parse it into the form that it keeps; several
  // observers may keep different forms, so the whole object is parsed for them.
  [[nodiscard]] Result<Object> read(const GroupVersionKind& kind, std::string_view response) const;
  // Returns the object before a write, or an empty Object if no observer has it.
  [[nodiscard]] Object known(const GroupVersionKind& kind, const ObjectKey& key) const;
  void written(const GroupVersionKind& kind, const Result<Object>& response, std::optional<std::string_view> from,
               bool made_it, const Object& before) const;
  // `response` is the response to a successful DELETE: a Status, or the object as it still exists, or its last state.
  void removed(const GroupVersionKind& kind, const ObjectKey& key, const http::BufferedResponse& response,
               const Object& before) const;
  void create_failed(const GroupVersionKind& kind, const Error& error) const;
  // Notifies all observers except `found_by`.
  void rewound(const WriteObserver& found_by) const;

 private:
  using Observers = std::vector<std::shared_ptr<WriteObserver>>;
  [[nodiscard]] Observers of(const GroupVersionKind& kind) const;
  // Also those of all kinds.
  [[nodiscard]] Observers all_of(const GroupVersionKind& kind) const;

  mutable Mutex mutex_;
  std::map<GroupVersionKind, std::vector<std::weak_ptr<WriteObserver>>> by_kind_ PINTLE_GUARDED_BY(mutex_);
};

}  // namespace pintle
