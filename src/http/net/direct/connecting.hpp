// SPDX-License-Identifier: Apache-2.0
// Connecting: opens a connection to a server, without a proxy.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "connection_pool.hpp"
#include "http/net/client_tls.hpp"
#include "http/net/curl_multi.hpp"

namespace pintle::http {

// A new connection, and the duration of the name lookup, if there was one.
struct Connected {
  ConnectionPool::Connection connection;
  std::optional<Duration> name_lookup{};
};

// libcurl looks up the name and tries all addresses. When it is about to send a request, the socket is taken away from
// it. The TLS handshake follows. Belongs to the I/O thread.
class Connecting final : public CurlMulti::Job {
 public:
  // Called once, when the socket is connected (CURLE_OK) or no connection is possible.
  using OnDone = std::function<void(CURLcode)>;

  // `tls` is null for a connection without TLS.
  Connecting(std::shared_ptr<const Endpoint> endpoint, std::shared_ptr<ClientTls> tls, Poller& poller, Easy by,
             OnDone on_done);
  ~Connecting() override;
  Connecting(const Connecting&) = delete;
  Connecting& operator=(const Connecting&) = delete;

  // Error: invalid, if no connection to the endpoint is possible.
  [[nodiscard]] Result<void> prepare(const NetworkOptions& options);

  void on_header_line(std::string_view) override {}
  void on_chunk(std::string_view) override {}
  bool may_send() override;
  void on_done(CURLcode code) override;

  // Begins the handshake. Call it after on_done() without a failure. Returns false if there is not enough memory.
  [[nodiscard]] bool begin_handshake(const SocketBio& bio);
  [[nodiscard]] Wire::Status shake_hands() { return wire_->shake_hands().status; }
  // The socket of the handshake; -1 before it.
  [[nodiscard]] int socket() const noexcept { return wire_ ? wire_->socket() : -1; }
  // The details of a failure.
  [[nodiscard]] Failure failure(CURLcode code) const;
  // Returns the connection. Call it once, after the handshake.
  [[nodiscard]] Connected take(ConnectionPool& pool, ConnectionPool::Slot slot);

 private:
  const Request request_;
  const std::shared_ptr<ClientTls> tls_;
  Poller& poller_;
  const OnDone on_done_;
  int socket_ = -1;
  std::optional<Wire> wire_;
  std::optional<Duration> name_lookup_;
};

}  // namespace pintle::http
