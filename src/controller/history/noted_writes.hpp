// SPDX-License-Identifier: Apache-2.0
// NotedWrites: collects the writes of a reconcile for its record.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pintle/base/mutex.hpp>
#include <pintle/base/per_thread.hpp>
#include <pintle/cache/informer.hpp>
#include <pintle/client/write_observer.hpp>

#include "reconcile_record.hpp"

namespace pintle {

// Returns the record of a write: its differences with the state before, which may contain those of a write of another
// client that the cache did not have yet. With an empty `before`, the object was created.
[[nodiscard]] WriteRecord record_of(const GroupVersionKind& kind, const Informer::Write& write);

// Collects the writes to objects of a cached kind from the informers, and the others as an observer of the client. The
// state before one of the others is the response to the last write of the object; `max_remembered` bytes of them are
// kept. Thread-safe.
class NotedWrites final : public WriteObserver {
 public:
  static constexpr std::size_t max_remembered = std::size_t{2} << 20U;

  struct Collected {
    std::vector<WriteRecord> writes{};  // the first ones
    std::size_t dropped = 0;
    std::string last_uid{};  // of the last write
    std::string last_version{};
  };

  explicit NotedWrites(Executor& executor) : collectors_(executor), mutex_(executor) {}

  // Collects the writes of this thread as long as the binding exists.
  [[nodiscard]] PerThread<Collected>::Binding collect(Collected& into) { return {collectors_, into}; }
  // A write that an informer has observed, with both states in the form of its cache. Must be called on the thread that
  // made the write.
  void note(const GroupVersionKind& kind, const Informer::Write& write);

  void on_written(const Object& object, std::optional<std::string_view> from, bool made_it,
                  const Object& before) override;
  void on_removed(const ObjectKey& key, std::string_view uid, const Object& before) override;
  void on_deleting(const Object& object, const Object& before) override;
  void on_pending_create() override {}

 private:
  using Id = std::pair<GroupVersionKind, ObjectKey>;

  [[nodiscard]] Object remembered(const Object& object) const;
  void remember(const Object& object);
  void forget(const Id& id) PINTLE_REQUIRES(mutex_);

  PerThread<Collected> collectors_;
  mutable Mutex mutex_;
  std::map<Id, Object> remembered_ PINTLE_GUARDED_BY(mutex_);
  std::deque<Id> order_ PINTLE_GUARDED_BY(mutex_);  // the oldest first
  std::size_t bytes_ PINTLE_GUARDED_BY(mutex_) = 0;
};

}  // namespace pintle
