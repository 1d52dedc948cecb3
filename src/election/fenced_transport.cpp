// SPDX-License-Identifier: Apache-2.0
#include "fenced_transport.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

namespace pintle {
namespace {

bool only_reads(const std::string& method) { return method == "GET" || method == "HEAD" || method == "OPTIONS"; }

// Ends the exchange of a handler when it is destroyed. A posted function runs, or is dropped because there is no I/O
// thread any more, and the handler must be called in both cases.
class Refusal {
 public:
  Refusal(std::shared_ptr<http::ExchangeHandler> handler, Error error)
      : handler_(std::move(handler)), error_(std::move(error)) {}
  ~Refusal() { handler_->on_end(fail(std::move(error_))); }
  Refusal(const Refusal&) = delete;
  Refusal& operator=(const Refusal&) = delete;

 private:
  const std::shared_ptr<http::ExchangeHandler> handler_;
  Error error_;
};

// Adds the time for which the response is awaited to the query, unless the query already contains a timeout.
void add_timeout_parameter(http::Request& request, Instant now) {
  if (http::parse_target(request.target).parameter("timeout")) return;
  using std::chrono::milliseconds;
  Duration left = request.deadline - now;
  if (request.timeout > Duration::zero()) left = std::min(left, request.timeout);
  const auto whole = std::max(std::chrono::duration_cast<milliseconds>(left), milliseconds(1));
  request.target += request.target.find('?') == std::string::npos ? '?' : '&';
  request.target += "timeout=" + std::to_string(whole.count()) + "ms";
}

}  // namespace

Result<void> FencedTransport::fence(http::Request& request) const {
  const auto described = [what = request.method + " " + request.target.substr(0, request.target.find('?'))](
                             Result<void> allowed) { return std::move(allowed).with_operation(what); };
  if (auto allowed = described(fence_.check()); !allowed) return allowed;
  request.deadline = std::min(request.deadline, fence_.ends());
  request.before_send = [this, described, before = std::move(request.before_send)]() -> Result<void> {
    if (auto allowed = described(fence_.check()); !allowed || !before) return allowed;
    return before();
  };
  add_timeout_parameter(request, inner().executor().now());
  return {};
}

http::Transport::ExchangeId FencedTransport::start(http::Request request,
                                                   std::shared_ptr<http::ExchangeHandler> handler) {
  if (only_reads(request.method)) return ForwardingTransport::start(std::move(request), std::move(handler));
  if (auto fenced = fence(request); !fenced) {
    constexpr ExchangeId none = 0;  // no exchange has this id, so cancelling it has no effect
    post([refusal = std::make_shared<Refusal>(std::move(handler), std::move(fenced.error()))] {});
    return none;
  }
  return ForwardingTransport::start(std::move(request), std::move(handler));
}

Result<http::BufferedResponse> FencedTransport::send_and_wait(http::Request request, const std::stop_token& stop,
                                                              std::size_t limit) {
  if (!only_reads(request.method)) {
    if (auto fenced = fence(request); !fenced) return fail(std::move(fenced.error()));
  }
  return inner().send_and_wait(std::move(request), stop, limit);
}

}  // namespace pintle
