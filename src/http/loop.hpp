// SPDX-License-Identifier: Apache-2.0
// Loop: the I/O thread of a transport, the functions posted to it and its timers.
#pragma once

#include <functional>
#include <map>
#include <utility>
#include <vector>

#include <pintle/base/executor.hpp>
#include <pintle/base/mutex.hpp>
#include <pintle/http/transport.hpp>

#include "http/net/server/service_thread.hpp"

namespace pintle::http {

// Runs functions in the order in which they were posted, and timers by time, then in the order in which they were
// started. A function that posts another one, or a timer that starts another one that is due at once, does not delay
// the other functions and timers. Thread-safe, except for the functions of the I/O thread.
class Loop {
 public:
  using TimerId = Transport::TimerId;
  enum class AtClose { drop, run };  // for a function that is waiting when the loop is closed

  // `wake` is called, with no lock held, when there is new work; empty for a thread that waits in wait().
  explicit Loop(Executor& executor, std::function<void()> wake = {});

  // Starts the I/O thread, named "io". `body` must return after run_due() has returned false.
  void start(std::function<void()> body);
  // Closes the loop and waits for the end of its thread, in each caller. Idempotent.
  void stop();

  // Returns false, and drops the function, if the loop is closed.
  bool post(std::function<void()> function, AtClose at_close = AtClose::drop);
  // Returns an id that is never 0.
  TimerId start_timer(Instant at, std::function<void()> function);
  // If called on the I/O thread, the function does not run any more. If called on another thread, it may be running.
  void cancel_timer(TimerId timer);

  [[nodiscard]] Executor& executor() const noexcept { return executor_; }

  // The following functions belong to the I/O thread.
  //
  // Runs all due functions and timers. Returns false after the loop was closed and the last function with AtClose::run
  // has run.
  bool run_due();
  // Runs the due timers, but no posted functions.
  void run_timers();
  // Waits until a function or timer is due.
  void wait();
  // The time at which the next function or timer is due: Instant::min() for at once, Instant::max() for never.
  [[nodiscard]] Instant next_due();

 private:
  struct Task {
    std::function<void()> function;
    AtClose at_close;
  };
  using Timers = std::map<std::pair<Instant, TimerId>, std::function<void()>>;

  void changed();
  [[nodiscard]] bool busy() const PINTLE_REQUIRES(mutex_) { return closed_ || !tasks_.empty(); }

  Executor& executor_;
  const std::function<void()> wake_;
  Mutex mutex_;
  CondVar condition_;
  std::vector<Task> tasks_ PINTLE_GUARDED_BY(mutex_);
  Timers timers_ PINTLE_GUARDED_BY(mutex_);
  std::map<TimerId, Instant> timer_times_ PINTLE_GUARDED_BY(mutex_);
  TimerId next_timer_ PINTLE_GUARDED_BY(mutex_) = 1;
  bool closed_ PINTLE_GUARDED_BY(mutex_) = false;
  ServiceThread thread_;
};

}  // namespace pintle::http
