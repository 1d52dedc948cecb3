// SPDX-License-Identifier: Apache-2.0
// CallPool: a bounded number of threads that run calls of webhooks.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <stop_token>
#include <vector>

#include <pintle/base/executor.hpp>
#include <pintle/base/mutex.hpp>

namespace pintle {

struct CallPoolOptions {
  std::size_t threads = 8;
  std::size_t max_waiting = 256;  // calls that wait for a thread, also those that are complete
};

// Starts its threads when they are first needed. Thread-safe.
class CallPool {
 public:
  CallPool(Executor& executor, CallPoolOptions options)
      : executor_(executor), options_(options), mutex_(executor), changed_(executor) {}
  ~CallPool() { stop(); }
  CallPool(const CallPool&) = delete;
  CallPool& operator=(const CallPool&) = delete;

  // Returns false, and does not run the call, if too many calls are waiting, or after stop().
  [[nodiscard]] bool run(std::function<void()> call);
  // Drops the waiting calls, requests the running ones to stop and waits for them. Idempotent.
  void stop();
  // A stop is requested by stop().
  [[nodiscard]] std::stop_token stop_token() const noexcept { return stop_.get_token(); }

 private:
  void work();

  Executor& executor_;
  const CallPoolOptions options_;
  std::stop_source stop_;
  Mutex mutex_;
  CondVar changed_;
  std::deque<std::function<void()>> waiting_ PINTLE_GUARDED_BY(mutex_);
  std::vector<Thread> threads_ PINTLE_GUARDED_BY(mutex_);
  std::size_t idle_ PINTLE_GUARDED_BY(mutex_) = 0;
  bool stopped_ PINTLE_GUARDED_BY(mutex_) = false;
};

}  // namespace pintle
