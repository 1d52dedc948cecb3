// SPDX-License-Identifier: Apache-2.0
// Exchange: a request, its handler and its timeouts, as the network transport and InProcessTransport use them.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include <pintle/base/result.hpp>
#include <pintle/http/message.hpp>
#include <pintle/http/transport.hpp>

#include "loop.hpp"

namespace pintle::http {

// A text for messages, such as "GET https://host:6443/api/v1/pods". It does not contain the query, which can be long.
[[nodiscard]] std::string describe(const Request& request);
[[nodiscard]] Error cancelled(const Request& request);
// The error of a request whose response was not complete in time, and of one whose server sent nothing in time.
[[nodiscard]] Error timed_out(const Request& request, Duration took);
[[nodiscard]] Error fell_silent(const Request& request);
// Changes such an error for a request that was never sent. It can be sent again without risk, so it is not a timeout.
[[nodiscard]] Error never_sent(Error error);
// Whether a request can be sent again if its connection turns out to be closed: the server may have executed it.
[[nodiscard]] bool may_repeat(const Request& request) noexcept;

// Passes a response to its handler: one head, then the body, and nothing after the end. Applies the two timeouts of the
// request. Belongs to the I/O thread.
class Exchange {
 public:
  using OnTimeout = std::function<void(Error)>;

  Exchange(Loop& loop, Request request, std::shared_ptr<ExchangeHandler> handler);
  ~Exchange();
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;

  // Starts the timers. `on_timeout` is called at most once and must end the exchange.
  void arm(Instant started, OnTimeout on_timeout);

  // Returns the result of Request::before_send; success if it is not set.
  [[nodiscard]] Result<void> before_send() const {
    return request_.before_send ? request_.before_send() : Result<void>();
  }

  void head(const ResponseHead& head);
  void body(std::string_view chunk);
  void end(Result<void> result);

  [[nodiscard]] const Request& request() const noexcept { return request_; }
  [[nodiscard]] bool has_head() const noexcept { return has_head_; }

 private:
  void watch_silence();
  void disarm();

  Loop& loop_;
  Request request_;
  std::shared_ptr<ExchangeHandler> handler_;
  OnTimeout on_timeout_;
  bool has_head_ = false;
  Instant last_data_{};  // time of the last data from the peer
  Loop::TimerId whole_timer_ = 0;
  Loop::TimerId silence_timer_ = 0;
};

}  // namespace pintle::http
