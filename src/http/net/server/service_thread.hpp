// SPDX-License-Identifier: Apache-2.0
// ServiceThread: a thread for whose end several callers can wait.
#pragma once

#include <functional>

#include <pintle/base/executor.hpp>
#include <pintle/base/mutex.hpp>

namespace pintle::http {

// Thread-safe, except that start() must be called first.
class ServiceThread {
 public:
  explicit ServiceThread(Executor& executor) : executor_(executor), mutex_(executor), changed_(executor) {}

  void start(ThreadOptions options, std::function<void()> body);
  // Waits for the end of the thread, also if another caller joins it. Does nothing if the thread was never started.
  // Must not be called on the thread itself.
  void join();

 private:
  enum class State { not_started, running, joining, joined };

  Executor& executor_;
  Mutex mutex_;
  CondVar changed_;
  State state_ PINTLE_GUARDED_BY(mutex_) = State::not_started;
  Thread thread_ PINTLE_GUARDED_BY(mutex_);
};

}  // namespace pintle::http
