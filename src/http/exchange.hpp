// Exchange: who is answered and until when; what both halves of Transport know of an exchange.
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

// "GET https://host:6443/api/v1/pods", for messages; without the query, which can be long.
[[nodiscard]] std::string describe(const Request& request);
[[nodiscard]] Error cancelled(const Request& request);

// Passes an answer to its handler: nothing before the head, one head, nothing after the end. Keeps the two timeouts of
// its request. Belongs to the I/O thread.
class Exchange {
 public:
  using OnTimeout = std::function<void(Error)>;

  Exchange(Loop& loop, Request request, std::shared_ptr<ExchangeHandler> handler);
  ~Exchange();
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;

  // Starts the timers. `on_timeout` is called at most once and is expected to end the exchange.
  void arm(Instant started, OnTimeout on_timeout);

  // What the request says about leaving now.
  [[nodiscard]] Result<void> may_leave() const { return request_.may_leave ? request_.may_leave() : Result<void>(); }

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
  Instant heard_{};  // when the peer last said something
  Loop::TimerId whole_timer_ = 0;
  Loop::TimerId silence_timer_ = 0;
};

}  // namespace pintle::http
