// PassDeadline: ends one pass in time, by its stop token.
#pragma once

#include <atomic>
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
  PassDeadline(http::Transport& transport, const std::stop_token& outer, Duration timeout);
  ~PassDeadline();
  PassDeadline(const PassDeadline&) = delete;
  PassDeadline& operator=(const PassDeadline&) = delete;

  [[nodiscard]] std::stop_token token() const { return state_->stop.get_token(); }
  [[nodiscard]] Instant at() const noexcept { return at_; }
  [[nodiscard]] bool has_passed() const noexcept { return state_->passed; }

 private:
  // Shared with the timer, which may be running while the pass ends.
  struct State {
    explicit State(Runtime& runtime) : mutex(runtime) {}

    std::stop_source stop;
    std::atomic<bool> passed = false;
    Mutex mutex;
    bool ended PINTLE_GUARDED_BY(mutex) = false;
    Thread stopper PINTLE_GUARDED_BY(mutex);
  };

  http::Transport& transport_;
  const std::shared_ptr<State> state_;
  Instant at_ = Instant::max();
  std::optional<http::Transport::TimerId> timer_;
  const StopCallback link_;
};

}  // namespace pintle
