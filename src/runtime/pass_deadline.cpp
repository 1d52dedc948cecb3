#include "pass_deadline.hpp"

namespace pintle {

PassDeadline::PassDeadline(http::Transport& transport, const std::stop_token& outer, Duration timeout)
    : transport_(transport),
      state_(std::make_shared<State>(transport.runtime())),
      link_(transport.runtime(), outer, [state = state_] { state->stop.request_stop(); }) {
  if (timeout <= Duration::zero()) return;
  at_ = after(transport.runtime().now(), timeout);
  timer_ = transport.start_timer(at_, [state = state_, &runtime = transport.runtime()] {
    const MutexLock lock(state->mutex);
    if (state->ended) return;
    state->passed = true;
    state->stopper = runtime.spawn({.name = "deadline"}, [stop = state->stop]() mutable { stop.request_stop(); });
  });
}

PassDeadline::~PassDeadline() {
  if (timer_) transport_.cancel_timer(*timer_);
  Thread stopper;
  {
    const MutexLock lock(state_->mutex);
    state_->ended = true;
    stopper = std::move(state_->stopper);
  }
  stopper.join();
}

}  // namespace pintle
