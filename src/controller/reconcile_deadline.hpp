// SPDX-License-Identifier: Apache-2.0
// ReconcileDeadline: the timeout of one reconcile. It requests a stop and reports a reconcile that continues to run.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>

#include <pintle/base/mutex.hpp>
#include <pintle/base/stop.hpp>
#include <pintle/http/transport.hpp>

namespace pintle {

// Requests a stop when a stop of `outer` is requested, or after `timeout` (0: never). Callbacks of the token run on the
// thread that stops `outer`. At the timeout they run on a separate thread, because they are code of the user and may
// block, which the I/O thread must not. The destructor waits for this thread. Used by the thread of the reconcile.
class ReconcileDeadline {
 public:
  // The first report follows after this time beyond the timeout, each further report after twice the previous time.
  static constexpr Duration first_report = std::chrono::seconds(10);

  struct Reports {
    // Called while the reconcile continues to run; `late` is the time since its timeout. Runs on the I/O thread and
    // must not block.
    std::function<void(Duration late, bool is_first)> late{};
    // Called by the destructor if late() was called.
    std::function<void()> ended{};
  };

  ReconcileDeadline(http::Transport& transport, const std::stop_token& outer, Duration timeout, Reports reports);
  ~ReconcileDeadline();
  ReconcileDeadline(const ReconcileDeadline&) = delete;
  ReconcileDeadline& operator=(const ReconcileDeadline&) = delete;

  [[nodiscard]] std::stop_token token() const { return state_->stop.get_token(); }
  [[nodiscard]] Instant at() const noexcept { return at_; }
  [[nodiscard]] bool has_passed() const noexcept { return state_->passed; }

 private:
  // Shared with the timer, which may run while the reconcile ends.
  struct State {
    State(http::Transport& on, Reports to) : transport(on), reports(std::move(to)), mutex(on.executor()) {}

    http::Transport& transport;
    const Reports reports;
    std::stop_source stop;
    std::atomic<bool> passed = false;
    Mutex mutex;
    bool has_ended PINTLE_GUARDED_BY(mutex) = false;
    bool has_reported PINTLE_GUARDED_BY(mutex) = false;
    std::optional<http::Transport::TimerId> timer PINTLE_GUARDED_BY(mutex);
    Thread stopper PINTLE_GUARDED_BY(mutex);
  };

  // Starts the timer for the report that follows `late` after the deadline.
  static void report_when(const std::shared_ptr<State>& state, Instant deadline, Duration late)
      PINTLE_REQUIRES(state->mutex);

  const std::shared_ptr<State> state_;
  Instant at_ = Instant::max();
  const StopCallback link_;
};

}  // namespace pintle
