// SPDX-License-Identifier: Apache-2.0
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

// The two ways to complete a call. Neither function throws.
struct PendingWork {
  // Calls the functions of the author, and returns a function that creates the body of the response. That function is
  // called only if the call is not complete yet.
  std::function<std::function<std::string()>(Instant deadline, const std::stop_token& stop)> run{};
  // Returns the body of the response to a call that was not completed in time, or that the peer has abandoned.
  std::function<std::string(AdmissionOutcome)> give_up{};
};

// Thread-safe. Owned by the stream of the response and by the call in the pool.
class PendingCall {
 public:
  // `stop` also stops the call.
  PendingCall(Executor& executor, PendingWork work, Instant deadline, std::stop_token stop);

  // Runs the functions of the author, unless the call is complete. Called once.
  void run();
  // Returns the body of the response if the call is complete. At the deadline, completes it.
  [[nodiscard]] std::optional<std::string> take();
  void on_ready(std::function<void()> wake);
  // The peer has disconnected.
  void abandon();
  [[nodiscard]] Instant deadline() const noexcept { return deadline_; }

 private:
  // Whether the functions of the author run.
  enum class Phase { waiting, running, ended };

  void complete(std::string body) PINTLE_REQUIRES(mutex_);
  void request_stop();

  Executor& executor_;
  const Instant deadline_;
  std::stop_source stop_;
  Mutex mutex_;
  // Null if the call is complete, so that one which still waits for a thread does not hold its request.
  std::shared_ptr<const PendingWork> work_ PINTLE_GUARDED_BY(mutex_);
  std::string body_ PINTLE_GUARDED_BY(mutex_);
  Phase phase_ PINTLE_GUARDED_BY(mutex_) = Phase::waiting;
  Thread stopper_ PINTLE_GUARDED_BY(mutex_);  // requests the functions to stop; joined by run()
  Mutex wake_mutex_;
  std::function<void()> wake_ PINTLE_GUARDED_BY(wake_mutex_);
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
  [[nodiscard]] bool is_created_later() const override { return true; }

 private:
  std::shared_ptr<PendingCall> call_;
};

}  // namespace pintle
