// SPDX-License-Identifier: Apache-2.0
// DirectCalls: the calls that other threads carry out at present.
#pragma once

#include <set>

#include <pintle/base/mutex.hpp>

#include "direct_call.hpp"

namespace pintle::http {

// Thread-safe.
class DirectCalls {
 public:
  explicit DirectCalls(Executor& executor) : mutex_(executor), left_(executor) {}

  // Returns false after close().
  [[nodiscard]] bool enter(CallState& call) {
    const MutexLock lock(mutex_);
    if (closed_) return false;
    calls_.insert(&call);
    return true;
  }
  void leave(CallState& call) {
    const MutexLock lock(mutex_);
    calls_.erase(&call);
    left_.notify_all();
  }
  // Interrupts all calls and waits until they have ended.
  void close() {
    const MutexLock lock(mutex_);
    closed_ = true;
    for (CallState* call : calls_) call->interrupt();
    while (!calls_.empty()) left_.wait(mutex_);
  }

 private:
  Mutex mutex_;
  CondVar left_;
  std::set<CallState*> calls_ PINTLE_GUARDED_BY(mutex_);
  bool closed_ PINTLE_GUARDED_BY(mutex_) = false;
};

}  // namespace pintle::http
