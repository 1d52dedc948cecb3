// SPDX-License-Identifier: Apache-2.0
#include "reconcile_deadline.hpp"

#include <utility>

namespace pintle {

ReconcileDeadline::ReconcileDeadline(http::Transport& transport, const std::stop_token& outer, Duration timeout,
                                     Reports reports)
    : state_(std::make_shared<State>(transport, std::move(reports))),
      link_(transport.executor(), outer, [state = state_] { state->stop.request_stop(); }) {
  if (timeout <= Duration::zero()) return;
  at_ = after(transport.executor().now(), timeout);
  const MutexLock lock(state_->mutex);
  state_->timer = transport.start_timer(at_, [state = state_, at = at_] {
    const MutexLock again(state->mutex);
    if (state->has_ended) return;
    state->passed = true;
    state->stopper = state->transport.executor().spawn({.name = "deadline"},
                                                       [stop = state->stop]() mutable { stop.request_stop(); });
    if (state->reports.late) report_when(state, at, first_report);
  });
}

void ReconcileDeadline::report_when(const std::shared_ptr<State>& state, Instant deadline, Duration late) {
  if (state->has_ended) return;
  state->timer = state->transport.start_timer(after(deadline, late), [state, deadline, late] {
    const MutexLock lock(state->mutex);
    if (state->has_ended) return;
    state->reports.late(late, !std::exchange(state->has_reported, true));
    report_when(state, deadline, 2 * late);
  });
}

ReconcileDeadline::~ReconcileDeadline() {
  Thread stopper;
  {
    const MutexLock lock(state_->mutex);
    state_->has_ended = true;
    if (state_->timer) state_->transport.cancel_timer(*state_->timer);
    if (state_->has_reported && state_->reports.ended) state_->reports.ended();
    stopper = std::move(state_->stopper);
  }
  stopper.join();
}

}  // namespace pintle
