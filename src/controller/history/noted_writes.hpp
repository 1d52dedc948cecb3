// SPDX-License-Identifier: Apache-2.0
// NotedWrites: collects the writes of a reconcile for its record.
#pragma once

#include <cstddef>
#include <vector>

#include <pintle/base/per_thread.hpp>
#include <pintle/cache/informer.hpp>

#include "reconcile_record.hpp"

namespace pintle {

// Returns the record of a write: its differences with the state before, which may contain those of a write of another
// client that the cache did not have yet.
[[nodiscard]] WriteRecord record_of(const GroupVersionKind& kind, const Informer::Write& write);

// Thread-safe.
class NotedWrites {
 public:
  struct Collected {
    std::vector<WriteRecord> writes{};  // the first ones
    std::size_t dropped = 0;
  };

  explicit NotedWrites(Executor& executor) : collectors_(executor) {}

  // Collects the writes of this thread as long as the binding exists.
  [[nodiscard]] PerThread<Collected>::Binding collect(Collected& into) { return {collectors_, into}; }
  // Must be called on the thread that made the write.
  void note(const GroupVersionKind& kind, const Informer::Write& write);

 private:
  PerThread<Collected> collectors_;
};

}  // namespace pintle
