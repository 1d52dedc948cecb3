// FencedTransport: a transport on which nothing is written without the lease.
#pragma once

#include <memory>

#include <pintle/http/transport.hpp>

#include "fence.hpp"

namespace pintle {

// Reads (GET, HEAD, OPTIONS) pass. Any other request is refused with `cancelled` unless the fence is open when it is
// given to this transport, and again when its bytes are about to be handed to the network, which may be much later: it
// waited for a connection, or the process stood still. Its answer is waited for until the lease ends at the latest, and
// the server is told how long that is (`timeout` in the query), so that it gives the request up as well.
// What this cannot stop is said at LeaderElectionOptions. `inner` and `fence` must outlive the last exchange.
// Thread-safe.
class FencedTransport final : public http::ForwardingTransport {
 public:
  FencedTransport(std::shared_ptr<http::Transport> inner, const Fence& fence)
      : ForwardingTransport(std::move(inner)), fence_(fence) {}

  ExchangeId start(http::Request request, std::shared_ptr<http::ExchangeHandler> handler) override;

 private:
  const Fence& fence_;
};

}  // namespace pintle
