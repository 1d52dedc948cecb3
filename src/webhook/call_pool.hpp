// SPDX-License-Identifier: Apache-2.0
// CallPool: a bounded number of threads that run calls of webhooks.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <set>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include <pintle/base/executor.hpp>
#include <pintle/base/mutex.hpp>

namespace pintle {

struct CallPoolOptions {
  std::string name = "webhook";  // of the threads
  std::size_t threads = 8;
  std::size_t max_waiting = 256;  // calls that wait for a thread, also those that are complete
};

// Starts its threads when they are first needed. Thread-safe.
class CallPool {
 public:
  CallPool(Executor& executor, CallPoolOptions options)
      : executor_(executor), options_(std::move(options)), mutex_(executor), changed_(executor), ended_(executor) {}
  ~CallPool() { stop(); }
  CallPool(const CallPool&) = delete;
  CallPool& operator=(const CallPool&) = delete;

  // Returns false, and does not run the call, if too many calls are waiting, or after request_stop(). `name` and
  // `deadline`: for running() and blocked_by().
  [[nodiscard]] bool run(std::string name, Instant deadline, std::function<void()> call);
  // Drops the waiting calls and requests the running ones to stop. Idempotent.
  void request_stop();
  // Waits for the running calls, after request_stop(). Returns false if some still run at the deadline.
  [[nodiscard]] bool wait_until(Instant deadline);
  // The names of the running calls.
  [[nodiscard]] std::vector<std::string> running() const;
  // If each thread is occupied by a call that has exceeded its deadline by `time` or more, returns the names of these
  // calls, otherwise nothing.
  [[nodiscard]] std::vector<std::string> blocked_by(Duration time) const;
  // As request_stop(), and waits for the running calls. Idempotent.
  void stop();
  // A stop is requested by request_stop().
  [[nodiscard]] std::stop_token stop_token() const noexcept { return stop_.get_token(); }

 private:
  struct Call {
    std::string name{};
    Instant deadline{};
    std::function<void()> function{};
  };

  void work();
  [[nodiscard]] std::vector<std::string> names() const PINTLE_REQUIRES(mutex_);

  Executor& executor_;
  const CallPoolOptions options_;
  std::stop_source stop_;
  mutable Mutex mutex_;
  CondVar changed_;
  CondVar ended_;  // notified when a call has ended after request_stop()
  std::deque<Call> waiting_ PINTLE_GUARDED_BY(mutex_);
  std::multiset<std::pair<std::string, Instant>> running_ PINTLE_GUARDED_BY(mutex_);  // names and deadlines
  std::vector<Thread> threads_ PINTLE_GUARDED_BY(mutex_);
  std::size_t idle_ PINTLE_GUARDED_BY(mutex_) = 0;
  bool stopped_ PINTLE_GUARDED_BY(mutex_) = false;
};

}  // namespace pintle
