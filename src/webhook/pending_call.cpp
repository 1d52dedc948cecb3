#include "pending_call.hpp"

#include <utility>

namespace pintle {

PendingCall::PendingCall(Executor& executor, AdmissionWebhook webhook, AdmissionRequest request, Instant deadline,
                         std::stop_token stop, std::function<std::string(const CallResult&)> finish)
    : executor_(executor),
      webhook_(std::move(webhook)),
      request_(std::move(request)),
      deadline_(deadline),
      mutex_(executor),
      finish_(std::move(finish)),
      on_stop_(executor, std::move(stop), [this] { stop_.request_stop(); }) {}

void PendingCall::run(const Log& log) {
  {
    const MutexLock lock(mutex_);
    if (is_complete_) return;
  }
  const AdmissionContext context(request_, deadline_, stop_.get_token(), log);
  const CallResult made = webhook_.decide(request_, context);
  const MutexLock lock(mutex_);
  if (is_complete_) return;
  complete(made);
  // With the lock, because `wake_` must not be called after the stream was destroyed.
  if (wake_) wake_();
}

std::optional<std::string> PendingCall::take() {
  {
    const MutexLock lock(mutex_);
    if (is_complete_) return body_;
    if (executor_.now() < deadline_) return std::nullopt;
    complete(webhook_.failure(AdmissionOutcome::timed_out,
                              "no result for the " + request_.describe() + " within the time limit"));
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
    complete(webhook_.failure(AdmissionOutcome::cancelled, "the peer closed the connection"));
  }
  stop_.request_stop();
}

void PendingCall::complete(const CallResult& given) {
  is_complete_ = true;
  body_ = std::exchange(finish_, {})(given);
}

http::BodyStream::State PendingCallStream::read(std::string& out) {
  auto body = call_->take();
  if (!body) return State::waiting;
  out += *body;
  return State::ended;
}

}  // namespace pintle
