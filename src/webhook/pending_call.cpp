#include "pending_call.hpp"

#include <utility>

namespace pintle {

PendingCall::PendingCall(Executor& executor, PendingWork work, Instant deadline, std::stop_token stop)
    : executor_(executor),
      work_(std::move(work)),
      deadline_(deadline),
      mutex_(executor),
      on_stop_(executor, std::move(stop), [this] { stop_.request_stop(); }) {}

void PendingCall::run() {
  {
    const MutexLock lock(mutex_);
    if (is_complete_) return;
  }
  const auto finish = work_.run(deadline_, stop_.get_token());
  const MutexLock lock(mutex_);
  if (is_complete_) return;
  complete(finish());
  // With the lock, because `wake_` must not be called after the stream was destroyed.
  if (wake_) wake_();
}

std::optional<std::string> PendingCall::take() {
  {
    const MutexLock lock(mutex_);
    if (is_complete_) return body_;
    if (executor_.now() < deadline_) return std::nullopt;
    complete(work_.give_up(AdmissionOutcome::timed_out));
  }
  stop_.request_stop();
  const MutexLock lock(mutex_);
  return body_;
}

void PendingCall::on_ready(std::function<void()> wake) {
  const MutexLock lock(mutex_);
  wake_ = std::move(wake);
}

void PendingCall::abandon() {
  {
    const MutexLock lock(mutex_);
    wake_ = {};
    if (is_complete_) return;
    complete(work_.give_up(AdmissionOutcome::cancelled));
  }
  stop_.request_stop();
}

void PendingCall::complete(std::string body) {
  is_complete_ = true;
  body_ = std::move(body);
}

http::BodyStream::State PendingCallStream::read(std::string& out) {
  auto body = call_->take();
  if (!body) return State::waiting;
  out += *body;
  return State::ended;
}

}  // namespace pintle
