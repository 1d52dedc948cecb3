// PassDeadline: ends one pass in time, by its stop token, and tells of one that does not end.
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

// Requests stop when `outer` is stopped, or `timeout` from now (0: never). What was registered with the token runs on
// the thread that stops `outer`, or at the timeout on a thread of its own: it is code of users, which may wait. Used by
// the thread of the pass; the destructor waits for such a thread.
class PassDeadline {
 public:
  // From the first report on they come at twice the time each.
  static constexpr Duration first_report = std::chrono::seconds(10);

  struct Reports {
    // Called on the I/O thread while the pass runs on, so long after its timeout; must not wait.
    std::function<void(Duration late, bool is_first)> late{};
    // A pass of which late() has told ended; called by the destructor.
    std::function<void()> ended{};
  };

  PassDeadline(http::Transport& transport, const std::stop_token& outer, Duration timeout, Reports reports);
  ~PassDeadline();
  PassDeadline(const PassDeadline&) = delete;
  PassDeadline& operator=(const PassDeadline&) = delete;

  [[nodiscard]] std::stop_token token() const { return state_->stop.get_token(); }
  [[nodiscard]] Instant at() const noexcept { return at_; }
  [[nodiscard]] bool has_passed() const noexcept { return state_->passed; }

 private:
  // Shared with the timer, which may be running while the pass ends.
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

  // Once the pass is late by this much.
  static void report_when(const std::shared_ptr<State>& state, Instant deadline, Duration late)
      PINTLE_REQUIRES(state->mutex);

  const std::shared_ptr<State> state_;
  Instant at_ = Instant::max();
  const StopCallback link_;
};

}  // namespace pintle
