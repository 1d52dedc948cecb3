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
class FencedTransport final : public http::Transport {
 public:
  FencedTransport(std::shared_ptr<http::Transport> inner, const Fence& fence)
      : inner_(std::move(inner)), fence_(fence) {}

  ExchangeId start(http::Request request, std::shared_ptr<http::ExchangeHandler> handler) override;
  void cancel(ExchangeId exchange) override { inner_->cancel(exchange); }
  void post(std::function<void()> function) override { inner_->post(std::move(function)); }
  TimerId start_timer(Instant at, std::function<void()> function) override {
    return inner_->start_timer(at, std::move(function));
  }
  void cancel_timer(TimerId timer) override { inner_->cancel_timer(timer); }
  void shutdown() override { inner_->shutdown(); }
  [[nodiscard]] Runtime& runtime() noexcept override { return inner_->runtime(); }

 private:
  const std::shared_ptr<http::Transport> inner_;
  const Fence& fence_;
};

}  // namespace pintle
