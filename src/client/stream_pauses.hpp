// SPDX-License-Identifier: Apache-2.0
// StreamPauses: for which kinds the server of a client does not support streaming lists.
#pragma once

#include <atomic>
#include <map>
#include <memory>

#include <pintle/base/mutex.hpp>
#include <pintle/object/kind.hpp>

namespace pintle {

// Thread-safe.
class StreamPauses {
 public:
  explicit StreamPauses(Executor& executor) : mutex_(executor) {}

  // Returns the same value for all callers that name the kind.
  [[nodiscard]] std::shared_ptr<std::atomic<Instant>> of(const GroupVersionKind& kind) {
    const MutexLock lock(mutex_);
    auto& pause = by_kind_[kind];
    if (pause == nullptr) pause = std::make_shared<std::atomic<Instant>>();
    return pause;
  }

 private:
  Mutex mutex_;
  std::map<GroupVersionKind, std::shared_ptr<std::atomic<Instant>>> by_kind_ PINTLE_GUARDED_BY(mutex_);
};

}  // namespace pintle
