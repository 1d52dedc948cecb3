// SPDX-License-Identifier: Apache-2.0
// FencedTransport: a transport that sends no write without the lease.
#pragma once

#include <memory>

#include <pintle/http/transport.hpp>

#include "fence.hpp"

namespace pintle {

// Forwards reads (GET, HEAD, OPTIONS). Any other request is refused with `cancelled` unless the fence is open when the
// request is started, and again when its bytes are handed to the network. That can be much later, if the request waits
// for a connection or the process is suspended. The response is awaited until the end of the lease at most, and the
// request contains this limit (`timeout` in the query), so that the server abandons it too. LeaderElectionOptions lists
// the cases that this cannot prevent. `inner` and `fence` must outlive the last exchange. Thread-safe.
class FencedTransport final : public http::ForwardingTransport {
 public:
  FencedTransport(std::shared_ptr<http::Transport> inner, const Fence& fence)
      : ForwardingTransport(std::move(inner)), fence_(fence) {}

  ExchangeId start(http::Request request, std::shared_ptr<http::ExchangeHandler> handler) override;
  [[nodiscard]] Result<http::BufferedResponse> send_and_wait(http::Request request, const std::stop_token& stop,
                                                             std::size_t limit) override;

 private:
  // Limits a request to the time of the lease. Error: cancelled, if the fence is not open.
  [[nodiscard]] Result<void> fence(http::Request& request) const;

  const Fence& fence_;
};

}  // namespace pintle
