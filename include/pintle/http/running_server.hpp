// SPDX-License-Identifier: Apache-2.0
// RunningServer: a server that accepts requests, on a socket or in a simulation.
#pragma once

#include <memory>
#include <string>

#include <pintle/base/annotations.hpp>
#include <pintle/base/executor.hpp>
#include <pintle/base/result.hpp>
#include <pintle/http/certificates.hpp>
#include <pintle/http/handler.hpp>
#include <pintle/http/server.hpp>
#include <pintle/http/server_factory.hpp>

namespace pintle::http {

/// There are two implementations: serve_on_socket() uses http::Server, and InProcessNetwork::server_factory() registers
/// the handler in a network in this process. The destructor does the same as stop(). Thread-safe.
class PINTLE_EXPORT RunningServer {
 public:
  virtual ~RunningServer() = default;

  /// As Server::drain(). In a network in this process, clients of a service then prefer its other servers.
  virtual void drain() = 0;
  /// Accepts no more connections and returns when the handler is no longer called. On a socket, the responses in
  /// progress may finish within ServerOptions::stop_timeout. Idempotent.
  virtual void stop() = 0;
  /// As Server::set_key_pair().
  [[nodiscard]] virtual Result<void> set_key_pair(const KeyPair& identity) = 0;
  /// "https://127.0.0.1:9443"
  [[nodiscard]] virtual std::string url() const = 0;
};

/// A ServerFactory. Requires a real executor.
[[nodiscard]] PINTLE_EXPORT Result<std::unique_ptr<RunningServer>> serve_on_socket(Executor& executor, Handler& handler,
                                                                                   ServerOptions options);

}  // namespace pintle::http
