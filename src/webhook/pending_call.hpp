// PendingCall: one request to a webhook. It completes exactly once: with the result of its functions, or at its
// deadline.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include <pintle/base/mutex.hpp>
#include <pintle/base/stop.hpp>
#include <pintle/http/handler.hpp>

#include "admission_webhook.hpp"

namespace pintle {

// Thread-safe. Owned by the stream of the response and by the call in the pool.
class PendingCall {
 public:
  // `finish` is called once, with the first result, and returns the body of the response. `stop` also stops the call.
  PendingCall(Executor& executor, AdmissionWebhook webhook, AdmissionRequest request, Instant deadline,
              std::stop_token stop, std::function<std::string(const CallResult&)> finish);

  // Runs the functions of the author, unless the call is complete.
  void run(const Log& log);
  // Returns the body of the response if the call is complete. At the deadline, completes it as the failure policy
  // defines.
  [[nodiscard]] std::optional<std::string> take();
  void on_ready(std::function<void()> wake);
  // The peer has disconnected.
  void abandon();
  [[nodiscard]] Instant deadline() const noexcept { return deadline_; }

 private:
  void complete(const CallResult& given) PINTLE_REQUIRES(mutex_);

  Executor& executor_;
  const AdmissionWebhook webhook_;
  const AdmissionRequest request_;
  const Instant deadline_;
  std::stop_source stop_;
  Mutex mutex_;
  std::function<std::string(const CallResult&)> finish_ PINTLE_GUARDED_BY(mutex_);
  std::function<void()> wake_ PINTLE_GUARDED_BY(mutex_);
  bool is_complete_ PINTLE_GUARDED_BY(mutex_) = false;
  std::string body_ PINTLE_GUARDED_BY(mutex_);
  StopCallback on_stop_;  // the last member, because the constructor may call it
};

// The body of the response: empty until the call is complete.
class PendingCallStream final : public http::BodyStream {
 public:
  explicit PendingCallStream(std::shared_ptr<PendingCall> call) : call_(std::move(call)) {}
  ~PendingCallStream() override { call_->abandon(); }
  PendingCallStream(const PendingCallStream&) = delete;
  PendingCallStream& operator=(const PendingCallStream&) = delete;

  [[nodiscard]] State read(std::string& out) override;
  void on_ready(std::function<void()> wake) override { call_->on_ready(std::move(wake)); }
  [[nodiscard]] Instant next_deadline() const override { return call_->deadline(); }

 private:
  std::shared_ptr<PendingCall> call_;
};

}  // namespace pintle
