// SPDX-License-Identifier: Apache-2.0
#include "exchange.hpp"

#include <algorithm>
#include <utility>

namespace pintle::http {

std::string describe(const Request& request) {
  std::string text = request.method + " ";
  if (request.endpoint != nullptr) text += request.endpoint->url();
  return text.append(request.target, 0, request.target.find('?'));
}

Error cancelled(const Request& request) { return make_error(ErrorCode::cancelled, describe(request) + ": cancelled"); }

Error timed_out(const Request& request, Duration took) {
  return make_error(ErrorCode::timeout, describe(request) + ": no complete response within " + format_duration(took));
}

Error fell_silent(const Request& request) {
  return make_error(ErrorCode::timeout,
                    describe(request) + ": the server sent no data for " + format_duration(request.idle_timeout));
}

Error never_sent(Error error) {
  error.code = ErrorCode::unreachable;
  error.message += "; no connection was established in this time: check the server address and firewalls";
  return error;
}

bool may_repeat(const Request& request) noexcept { return request.method == "GET" || request.method == "HEAD"; }

Exchange::Exchange(Loop& loop, Request request, std::shared_ptr<ExchangeHandler> handler)
    : loop_(loop), request_(std::move(request)), handler_(std::move(handler)) {}

Exchange::~Exchange() { disarm(); }

void Exchange::arm(Instant started, OnTimeout on_timeout) {
  on_timeout_ = std::move(on_timeout);
  last_data_ = started;
  const bool is_timed = request_.timeout > Duration::zero();
  const Instant end = std::min(request_.deadline, is_timed ? after(started, request_.timeout) : Instant::max());
  if (end != Instant::max()) {
    whole_timer_ = loop_.start_timer(
        end, [this, took = std::max(end - started, Duration::zero())] { on_timeout_(timed_out(request_, took)); });
  }
  watch_silence();
}

// Received data only changes last_data_. A timer that expires too early starts again.
void Exchange::watch_silence() {
  if (request_.idle_timeout <= Duration::zero()) return;
  const Instant until = after(last_data_, request_.idle_timeout);
  silence_timer_ = loop_.start_timer(until, [this, until] {
    if (after(last_data_, request_.idle_timeout) > until) {
      watch_silence();
    } else {
      on_timeout_(fell_silent(request_));
    }
  });
}

void Exchange::disarm() {
  if (whole_timer_ != 0) loop_.cancel_timer(std::exchange(whole_timer_, 0));
  if (silence_timer_ != 0) loop_.cancel_timer(std::exchange(silence_timer_, 0));
}

void Exchange::head(const ResponseHead& head) {
  if (handler_ == nullptr || has_head_) return;
  has_head_ = true;
  last_data_ = loop_.executor().now();
  handler_->on_head(head);
}

void Exchange::body(std::string_view chunk) {
  if (handler_ == nullptr || chunk.empty()) return;
  last_data_ = loop_.executor().now();
  handler_->on_body(chunk);
}

void Exchange::end(Result<void> result) {
  disarm();
  const std::shared_ptr<ExchangeHandler> handler = std::exchange(handler_, nullptr);
  if (handler != nullptr) handler->on_end(std::move(result));
}

}  // namespace pintle::http
