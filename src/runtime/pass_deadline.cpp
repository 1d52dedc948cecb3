#include "pass_deadline.hpp"

namespace pintle {

PassDeadline::PassDeadline(http::Transport& transport, const std::stop_token& outer, Duration timeout)
    : transport_(transport), link_(transport.runtime(), outer, [state = state_] { state->stop.request_stop(); }) {
  if (timeout <= Duration::zero()) return;
  at_ = after(transport.runtime().now(), timeout);
  timer_ = transport.start_timer(at_, [state = state_] {
    state->passed = true;
    state->stop.request_stop();
  });
}

PassDeadline::~PassDeadline() {
  if (timer_) transport_.cancel_timer(*timer_);
}

}  // namespace pintle
