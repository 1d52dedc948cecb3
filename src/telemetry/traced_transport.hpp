// TracedTransport: a transport on which the requests of a pass are spans.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <pintle/http/transport.hpp>

#include "tracing.hpp"

namespace pintle {

// A request that is made on the thread of a pass is a span below the innermost of the pass, and carries its
// `traceparent`; each time it is sent again is one of its own. All other requests pass as they are: lists and watches
// that fill the caches, the lease, Events, and what a pass sends on threads that it started. Thread-safe.
class TracedTransport final : public http::ForwardingTransport {
 public:
  TracedTransport(std::shared_ptr<http::Transport> inner, std::shared_ptr<Tracing> tracing)
      : ForwardingTransport(std::move(inner)), tracing_(std::move(tracing)) {}

  ExchangeId start(http::Request request, std::shared_ptr<http::ExchangeHandler> handler) override;

 private:
  const std::shared_ptr<Tracing> tracing_;
};

// The path of a target of an API server without the names in it, the same for all calls of a kind:
// "/api/v1/namespaces/{namespace}/pods/{name}/status".
[[nodiscard]] std::string url_template(std::string_view target);

}  // namespace pintle
