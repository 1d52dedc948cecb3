// SPDX-License-Identifier: Apache-2.0
#include "renewal.hpp"

#include <algorithm>
#include <utility>

#include <pintle/base/backoff.hpp>
#include <pintle/base/stop.hpp>

namespace pintle {

namespace {

constexpr Backoff between_calls{.base = std::chrono::seconds(1), .factor = 2, .cap = std::chrono::minutes(5)};
constexpr Duration quiet_time = std::chrono::minutes(10);  // longer than each pause
constexpr Duration max_margin = std::chrono::minutes(1);
constexpr int margin_share = 10;  // of the lifetime

}  // namespace

Renewal::Renewal(Executor& executor, std::string thread_name, Obtain obtain)
    : executor_(executor),
      thread_name_(std::move(thread_name)),
      obtain_(std::move(obtain)),
      mutex_(executor),
      changed_(executor) {}

Renewal::~Renewal() {
  stop_.request_stop();
  Thread thread;
  std::vector<Receiver> receivers;
  {
    const MutexLock lock(mutex_);
    is_stopped_ = true;
    thread = std::move(thread_);
    receivers.swap(receivers_);
    changed_.notify_all();
  }
  thread.join();
  for (const Receiver& receiver : receivers) receiver(fail(ErrorCode::cancelled, "the client was destroyed"));
}

Result<Renewal::Credential> Renewal::get(const std::stop_token& stop) {
  const StopCallback wake(executor_, stop, [this] {
    const MutexLock lock(mutex_);
    changed_.notify_all();
  });
  const MutexLock lock(mutex_);
  while (true) {
    if (auto decided = decide()) return std::move(*decided);
    if (stop.stop_requested()) return fail(ErrorCode::cancelled, "stopped while waiting for credentials");
    if (!executor_.may_block()) {
      return fail(ErrorCode::unsupported, "thread \"" + std::string(executor_.thread_name()) +
                                              "\" must not block, so it cannot wait for credentials");
    }
    changed_.wait(mutex_);
  }
}

std::optional<Result<Renewal::Credential>> Renewal::try_get(Receiver receiver) {
  const MutexLock lock(mutex_);
  auto decided = decide();
  if (!decided) receivers_.push_back(std::move(receiver));
  return decided;
}

void Renewal::reject(Instant sent) {
  const MutexLock lock(mutex_);
  if (current_ == nullptr || is_rejected_ || sent < obtained_) return;
  is_rejected_ = true;
  const unsigned earlier = count_failure();
  not_before_ = earlier == 0 ? executor_.now() : after(executor_.now(), between_calls.delay(earlier - 1));
}

unsigned Renewal::count_failure() {
  const Instant now = executor_.now();
  if (last_failure_ && now - *last_failure_ >= quiet_time) failures_ = 0;
  last_failure_ = now;
  return failures_++;
}

// Returns what a caller gets, or nothing if it must wait for the call of obtain_ that is under way.
std::optional<Result<Renewal::Credential>> Renewal::decide() {
  if (is_stopped_) return fail(ErrorCode::cancelled, "the client was destroyed");
  const bool is_usable = current_ != nullptr && !is_rejected_ && !is_ending(Duration::zero());
  if (!is_usable || is_ending(margin())) request();
  if (is_usable) return Result<Credential>(current_);
  if (is_requested_) return std::nullopt;
  if (current_ != nullptr && !error_) return Result<Credential>(current_);  // the server decides whether it is valid
  Error error = *error_;
  error.message += "; it is tried again in " +
                   format_duration(std::chrono::ceil<std::chrono::seconds>(not_before_ - executor_.now()));
  return Result<Credential>(fail(std::move(error)));
}

void Renewal::request() {
  if (is_requested_ || executor_.now() < not_before_) return;
  is_requested_ = true;
  if (!thread_.joinable()) thread_ = executor_.spawn({.name = thread_name_}, [this] { run(); });
  changed_.notify_all();
}

bool Renewal::is_ending(Duration margin) const {
  return current_ != nullptr && current_->expires && executor_.wall_now() + margin >= *current_->expires;
}

Duration Renewal::margin() const {
  if (current_ == nullptr || !current_->expires) return Duration::zero();
  return std::clamp((*current_->expires - obtained_wall_) / margin_share, Duration::zero(), max_margin);
}

void Renewal::run() {
  while (wait_for_request()) keep(obtain_(stop_.get_token()));
}

bool Renewal::wait_for_request() {
  const MutexLock lock(mutex_);
  while (!is_requested_ && !is_stopped_) changed_.wait(mutex_);
  return !is_stopped_;
}

void Renewal::keep(Result<ObtainedCredential> obtained) {
  std::vector<Receiver> receivers;
  std::optional<Result<Credential>> decided;
  {
    const MutexLock lock(mutex_);
    const Instant now = executor_.now();
    if (obtained) {
      current_ = std::make_shared<const ObtainedCredential>(std::move(*obtained));
      obtained_ = now;
      obtained_wall_ = executor_.wall_now();
      is_rejected_ = false;
      error_.reset();
    } else {
      error_ = std::move(obtained.error());
    }
    // A credential that has expired already is sent, because a clock may be wrong, but a new one is not obtained at
    // once.
    not_before_ = !error_ && !is_ending(Duration::zero()) ? now : after(now, between_calls.delay(count_failure()));
    is_requested_ = false;
    decided = decide();
    if (decided) receivers.swap(receivers_);
  }
  changed_.notify_all();
  for (const Receiver& receiver : receivers) receiver(*decided);
}

}  // namespace pintle
