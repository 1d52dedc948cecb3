// SPDX-License-Identifier: Apache-2.0
// TracedTransport: a transport that records each request of a reconcile as a span.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <pintle/http/transport.hpp>

#include "tracing.hpp"

namespace pintle {

// A request on the thread of a reconcile becomes a child of the innermost span of the reconcile, and its `traceparent`
// header identifies the new span. Each repetition of a request is a separate span. All other requests are forwarded
// unchanged: lists and watches of caches, the lease, Events, and requests of threads that a reconcile started.
// Thread-safe.
class TracedTransport final : public http::ForwardingTransport {
 public:
  TracedTransport(std::shared_ptr<http::Transport> inner, std::shared_ptr<Tracing> tracing)
      : ForwardingTransport(std::move(inner)), tracing_(std::move(tracing)) {}

  ExchangeId start(http::Request request, std::shared_ptr<http::ExchangeHandler> handler) override;
  [[nodiscard]] Result<http::BufferedResponse> send_and_wait(http::Request request, const std::stop_token& stop,
                                                             std::size_t limit) override;

 private:
  // Returns the span of a request, or null if the request is not traced.
  [[nodiscard]] std::unique_ptr<Span> begin(http::Request& request) const;

  const std::shared_ptr<Tracing> tracing_;
};

// Returns the path of a target without the names of objects and namespaces, so that it is equal for all calls of a
// kind: "/api/v1/namespaces/{namespace}/pods/{name}/status".
[[nodiscard]] std::string url_template(std::string_view target);

}  // namespace pintle
