// Loop: the I/O thread of a transport, the functions posted to it and its timers.
#pragma once

#include <functional>
#include <map>
#include <utility>
#include <vector>

#include <pintle/base/executor.hpp>
#include <pintle/base/mutex.hpp>
#include <pintle/http/transport.hpp>

#include "http/net/service_thread.hpp"

namespace pintle::http {

// Runs functions in the order they were posted, and timers by time, then by the order they were started. A function
// that posts another, or a timer that starts another due at once, never keeps the rest from running. Thread-safe, but
// for what belongs to the I/O thread.
class Loop {
 public:
  using TimerId = Transport::TimerId;
  enum class AtClose { drop, run };  // what becomes of a function that the end finds waiting

  // `wake` is called with no lock held when there is something new to look at; empty for a thread that waits in wait().
  explicit Loop(Executor& executor, std::function<void()> wake = {});

  // Starts the I/O thread, named "io". `body` returns once run_due() was false.
  void start(std::function<void()> body);
  // Closes the loop and waits for the end of its thread; every caller does. Idempotent.
  void shutdown();

  // False when the loop is closed, and then nothing was kept.
  bool post(std::function<void()> function, AtClose at_close = AtClose::drop);
  // An id that is never 0.
  TimerId start_timer(Instant at, std::function<void()> function);
  // On the I/O thread: the function will not run. Elsewhere: it may be running.
  void cancel_timer(TimerId timer);

  [[nodiscard]] Executor& executor() const noexcept { return executor_; }

  // Of the I/O thread.
  // Runs what is due. False once the loop is closed and the last AtClose::run function has run.
  bool run_due();
  // Runs the timers that are due, and nothing that was posted.
  void run_timers();
  // Waits until something is due.
  void wait();
  // When the next thing is due: Instant::min() for at once, Instant::max() for never.
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
  Condition condition_;
  std::vector<Task> tasks_ PINTLE_GUARDED_BY(mutex_);
  Timers timers_ PINTLE_GUARDED_BY(mutex_);
  std::map<TimerId, Instant> timer_times_ PINTLE_GUARDED_BY(mutex_);
  TimerId next_timer_ PINTLE_GUARDED_BY(mutex_) = 1;
  bool closed_ PINTLE_GUARDED_BY(mutex_) = false;
  ServiceThread thread_;
};

}  // namespace pintle::http
