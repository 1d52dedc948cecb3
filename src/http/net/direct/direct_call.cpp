// SPDX-License-Identifier: Apache-2.0
#include "direct_call.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <string>
#include <utility>

#include <poll.h>

#include "http/exchange.hpp"
#include "http/net/errors.hpp"
#include "request_text.hpp"

namespace pintle::http {
namespace {

constexpr std::size_t buffer_size = std::size_t{16} << 10U;

Instant end_of(const Request& request, Instant begun) {
  const bool is_timed = request.timeout > Duration::zero();
  return std::min(request.deadline, is_timed ? after(begun, request.timeout) : Instant::max());
}

}  // namespace

void CallState::interrupt() {
  const MutexLock lock(mutex_);
  interrupted_ = true;
  if (wire_ != nullptr) wire_->interrupt();
  changed_.notify_all();
}

bool CallState::is_interrupted() const {
  const MutexLock lock(mutex_);
  return interrupted_;
}

std::optional<Connected> CallState::deliver(Result<Connected> connected) {
  const MutexLock lock(mutex_);
  if (abandoned_) return connected ? std::optional(std::move(*connected)) : std::nullopt;
  connected_ = std::move(connected);
  changed_.notify_all();
  return {};
}

std::optional<Result<Connected>> CallState::wait_for_connection(Instant deadline) {
  const MutexLock lock(mutex_);
  while (!connected_ && !interrupted_) {
    if (!changed_.wait_until(mutex_, deadline)) break;
  }
  abandoned_ = !connected_;
  return std::exchange(connected_, {});
}

bool CallState::attach(const Wire& wire) {
  const MutexLock lock(mutex_);
  if (!interrupted_) wire_ = &wire;
  return !interrupted_;
}

void CallState::detach() {
  const MutexLock lock(mutex_);
  wire_ = nullptr;
}

DirectCall::DirectCall(const Network& network, const Request& request, std::shared_ptr<CallState> state,
                       std::size_t limit)
    : network_(network),
      request_(request),
      state_(std::move(state)),
      limit_(limit),
      begun_(network.executor.now()),
      end_(end_of(request, begun_)),
      last_data_(begun_) {}

Result<BufferedResponse> DirectCall::run() {
  const auto text = request_text(request_);
  if (!text) return fail(text.error());
  // An early check, which avoids a useless connection.
  if (request_.before_send) {
    if (auto allowed = request_.before_send(); !allowed) return fail(std::move(allowed.error()));
  }
  for (bool from_pool = true;; from_pool = false) {
    auto connected = connect(from_pool);
    if (!connected) return fail(std::move(connected.error()));
    if (request_.before_send) {
      if (auto allowed = request_.before_send(); !allowed) return fail(std::move(allowed.error()));
    }
    response_.name_lookup = connected->name_lookup;
    RoundTrip trip(std::move(connected->connection), *text, request_.method != "HEAD", *this);
    const bool was_used = trip.connection().was_used;
    auto end = carry_out(trip);
    if (end) {
      if (trip.can_be_reused()) network_.keep(std::move(trip.connection()));
      return std::move(response_);
    }
    // The server has closed the connection while it was idle.
    const bool is_stale = was_used && !trip.has_response() && end.error().code == ErrorCode::unreachable;
    if (!is_stale || !may_repeat(request_)) return fail(std::move(end.error()));
  }
}

Result<Connected> DirectCall::connect(bool from_pool) {
  if (from_pool) {
    if (auto idle = network_.pool.take(request_.endpoint)) return Connected{std::move(*idle)};
  }
  network_.connect(state_);
  auto connected = state_->wait_for_connection(end_);
  if (!connected) {
    if (state_->is_interrupted()) return fail(cancelled(request_));
    return fail(never_sent(timed_out(request_, std::max(end_ - begun_, Duration::zero()))));
  }
  return std::move(*connected);
}

Result<void> DirectCall::carry_out(RoundTrip& trip) {
  if (!state_->attach(trip.connection().wire)) return fail(cancelled(request_));
  std::array<char, buffer_size> buffer;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled before it is read
  auto end = proceed(trip, buffer);
  state_->detach();
  if (!end && state_->is_interrupted()) return fail(cancelled(request_));
  return end;
}

Result<void> DirectCall::proceed(RoundTrip& trip, std::span<char> buffer) {
  while (true) {
    const RoundTrip::State state = trip.step(buffer);
    if (is_too_large_) {
      return fail(ErrorCode::invalid,
                  describe(request_) + ": the response is larger than " + std::to_string(limit_) + " bytes");
    }
    switch (state) {
      case RoundTrip::State::complete: return {};
      case RoundTrip::State::broken: return failed(trip, trip.has_response() ? CURLE_RECV_ERROR : CURLE_GOT_NOTHING);
      case RoundTrip::State::malformed: return failed(trip, CURLE_WEIRD_SERVER_REPLY);
      case RoundTrip::State::busy:
        if (auto in_time = check_time(); !in_time) return in_time;
        break;
      case RoundTrip::State::wants_read:
      case RoundTrip::State::wants_write:
        if (auto ready = wait(trip, state == RoundTrip::State::wants_read ? POLLIN : POLLOUT); !ready) return ready;
        break;
    }
  }
}

// Waits in short steps: the clock of poll() stops while the machine is suspended, and the clock of the executor does
// not.
Result<void> DirectCall::wait(const RoundTrip& trip, short events) const {
  constexpr Duration max_step = std::chrono::seconds(10);
  const bool is_limited = request_.idle_timeout > Duration::zero();
  const Instant until = std::min(end_, is_limited ? after(last_data_, request_.idle_timeout) : Instant::max());
  pollfd socket{.fd = const_cast<RoundTrip&>(trip).connection().wire.socket(), .events = events, .revents = 0};
  while (true) {
    if (auto in_time = check_time(); !in_time) return in_time;
    const Duration left = until == Instant::max() ? max_step : std::min(until - network_.executor.now(), max_step);
    const auto milliseconds = std::chrono::ceil<std::chrono::milliseconds>(std::max(left, Duration::zero())).count();
    if (::poll(&socket, 1, static_cast<int>(milliseconds)) > 0) return {};
  }
}

Result<void> DirectCall::check_time() const {
  const Instant now = network_.executor.now();
  if (now >= end_) return fail(timed_out(request_, std::max(end_ - begun_, Duration::zero())));
  if (request_.idle_timeout > Duration::zero() && now >= after(last_data_, request_.idle_timeout))
    return fail(fell_silent(request_));
  return {};
}

Result<void> DirectCall::failed(RoundTrip& trip, CURLcode code) const {
  const Wire::Failure& failure = trip.connection().wire.failure();
  return fail(explain({.code = code,
                       .os_error = failure.os_error,
                       .detail = failure.detail,
                       .has_head = has_head_,
                       .connect_timeout = network_.connect_timeout},
                      request_));
}

void DirectCall::on_head(const ResponseHead& head) {
  has_head_ = true;
  last_data_ = network_.executor.now();
  response_.status = head.status;
  response_.headers = head.headers;
}

void DirectCall::on_body(std::string_view chunk) {
  last_data_ = network_.executor.now();
  is_too_large_ = is_too_large_ || chunk.size() > limit_ - response_.body.size();
  if (!is_too_large_) response_.body.append(chunk);
}

}  // namespace pintle::http
