// SPDX-License-Identifier: Apache-2.0
// Forwarder: passes requests on to another server and returns its responses, for proxies.
#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include <pintle/base/executor.hpp>
#include <pintle/base/result.hpp>
#include <pintle/base/time.hpp>
#include <pintle/http/handler.hpp>
#include <pintle/http/message.hpp>
#include <pintle/http/transport.hpp>

namespace pintle::http {

// Returns the headers that describe more than one connection or its credentials.
[[nodiscard]] Headers end_to_end_headers(const Headers& headers);

// Starts an exchange and waits for the head of the response, at most for `patience`. The body arrives as a stream,
// whose end cancels the exchange. Must be called on a thread that may block. Error: that of the exchange, or a timeout.
[[nodiscard]] Result<Response> start_streamed(const std::shared_ptr<Transport>& transport, Request request,
                                              Duration patience);

// Thread-safe.
class Forwarder final : public Handler {
 public:
  struct Options {
    std::shared_ptr<Transport> transport{};
    // Returns a request to the other server, with its endpoint and credentials; target, method, body and other headers
    // are added.
    std::function<Result<Request>()> prepare{};
    // True for a request whose response is passed on while it arrives.
    std::function<bool(const Request&)> streams{};
    std::function<Response(int status, std::string_view message)> error_response{};
  };

  explicit Forwarder(Options options) : options_(std::move(options)) {}

  // The response is deferred. 502: there is no response.
  [[nodiscard]] Response handle(const Request& request) override;

 private:
  [[nodiscard]] Response forward(const Request& request) const;

  const Options options_;
};

}  // namespace pintle::http
