// SPDX-License-Identifier: Apache-2.0
#include "pending_call.hpp"

#include <utility>

namespace pintle {

PendingCall::PendingCall(Executor& executor, PendingWork work, Instant deadline, std::stop_token stop)
    : executor_(executor),
      deadline_(deadline),
      mutex_(executor),
      work_(std::make_shared<const PendingWork>(std::move(work))),
      wake_mutex_(executor),
      on_stop_(executor, std::move(stop), [this] { request_stop(); }) {}

void PendingCall::run() {
  std::shared_ptr<const PendingWork> work;
  {
    const MutexLock lock(mutex_);
    if (work_ == nullptr) return;
    work = work_;
    phase_ = Phase::running;
  }
  const auto finish = work->run(deadline_, stop_.get_token());
  Thread stopper;
  bool is_first = false;
  {
    const MutexLock lock(mutex_);
    phase_ = Phase::ended;
    stopper = std::move(stopper_);
    is_first = work_ != nullptr;
    if (is_first) complete(finish());
  }
  if (is_first) {
    // With a lock, because `wake_` must not be called after the stream was destroyed. It is not the lock of the body,
    // for which the thread that is woken would have to wait.
    const MutexLock lock(wake_mutex_);
    if (wake_) wake_();
  }
  stopper.join();
}

// The callbacks of the token are code of the author and may block, which the thread of a connection must not. They run
// on a thread of their own while the functions run; before and afterwards there are none.
void PendingCall::request_stop() {
  const MutexLock lock(mutex_);
  if (phase_ == Phase::waiting) stop_.request_stop();
  if (phase_ != Phase::running || stopper_.joinable()) return;
  stopper_ = executor_.spawn({.name = "webhook-stop"}, [stop = stop_]() mutable { stop.request_stop(); });
}

std::optional<std::string> PendingCall::take() {
  {
    const MutexLock lock(mutex_);
    if (work_ == nullptr) return body_;
    if (executor_.now() < deadline_) return std::nullopt;
    complete(work_->give_up(AdmissionOutcome::timed_out));
  }
  request_stop();
  const MutexLock lock(mutex_);
  return body_;
}

void PendingCall::on_ready(std::function<void()> wake) {
  const MutexLock lock(wake_mutex_);
  wake_ = std::move(wake);
}

void PendingCall::abandon() {
  on_ready({});
  {
    const MutexLock lock(mutex_);
    if (work_ == nullptr) return;
    complete(work_->give_up(AdmissionOutcome::cancelled));
  }
  request_stop();
}

void PendingCall::complete(std::string body) {
  work_.reset();
  body_ = std::move(body);
}

http::BodyStream::State PendingCallStream::read(std::string& out) {
  auto body = call_->take();
  if (!body) return State::waiting;
  out += *body;
  return State::ended;
}

}  // namespace pintle
