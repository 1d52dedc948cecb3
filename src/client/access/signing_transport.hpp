// SPDX-License-Identifier: Apache-2.0
// SigningTransport: adds the credentials of a cluster to requests when they start, also while a plugin has to run
// first.
#pragma once

#include <memory>

#include <pintle/http/transport.hpp>

#include "credentials.hpp"

namespace pintle {

// A request without an endpoint gets the current credentials. If there are none yet, it waits for them, which blocks no
// thread; it can be cancelled meanwhile, and its timeouts begin with the start. If the endpoint changes, watches end:
// successfully, as if the server had ended them, or with the error unavailable before their head has arrived. stop()
// and the destructor end waiting requests with the error cancelled. Thread-safe.
class SigningTransport final : public http::ForwardingTransport {
 public:
  SigningTransport(const std::shared_ptr<http::Transport>& inner, std::shared_ptr<Credentials> credentials);
  ~SigningTransport() override;

  ExchangeId start(http::Request request, std::shared_ptr<http::ExchangeHandler> handler) override;
  void cancel(ExchangeId exchange) override;
  [[nodiscard]] Result<http::BufferedResponse> send_and_wait(http::Request request, const std::stop_token& stop,
                                                             std::size_t limit) override;
  void stop() override;

 private:
  class Exchanges;

  const std::shared_ptr<Exchanges> exchanges_;
  const std::shared_ptr<Credentials> credentials_;
};

}  // namespace pintle
