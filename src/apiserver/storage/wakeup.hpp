// SPDX-License-Identifier: Apache-2.0
// Wakeup: notifies a waiting reader of new changes. Neither side holds a lock of the other.
#pragma once

#include <functional>

#include <pintle/base/executor.hpp>
#include <pintle/base/mutex.hpp>

namespace pintle::apiserver {

// Thread-safe. No lock is held while the function runs.
class Wakeup {
 public:
  explicit Wakeup(Executor& executor) : mutex_(executor), returned_(executor) {}

  void set(std::function<void()> function);
  // Calls the function if it is set and close() has not been called.
  void ring();
  // No call begins after close(), and none is running when it returns. Must not be called from the function.
  void close();

 private:
  Mutex mutex_;
  CondVar returned_;
  std::function<void()> function_ PINTLE_GUARDED_BY(mutex_);
  int ringing_ PINTLE_GUARDED_BY(mutex_) = 0;
  bool closed_ PINTLE_GUARDED_BY(mutex_) = false;
};

}  // namespace pintle::apiserver
