// SPDX-License-Identifier: Apache-2.0
// Server: HTTP/1.1 over TCP or TLS in front of a Handler.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include <pintle/base/annotations.hpp>
#include <pintle/base/executor.hpp>
#include <pintle/base/log.hpp>
#include <pintle/base/result.hpp>
#include <pintle/http/certificates.hpp>
#include <pintle/http/handler.hpp>

namespace pintle::http {

struct ServerOptions {
  std::string listen = "127.0.0.1:0";  ///< HOST:PORT; port 0: a free port; no host: all addresses
  std::string certificate{};           ///< PEM, with the intermediate certificates that it needs; empty: no TLS
  std::string key{};                   ///< PEM
  std::string client_ca{};             ///< PEM; if set, only clients with a certificate of this authority can connect
  /// Maximum number of open connections. At the limit, the server makes room for a new connection. It selects the peer
  /// address with the most connections, and closes the oldest of these connections that is not waiting for a response.
  /// If all of them are waiting for a response, the server closes the new connection. start() limits the value to a
  /// third of the files that the process may have open (ulimit -n), so that peers cannot use up the descriptors that
  /// the process needs for its own connections.
  std::size_t max_connections = 4096;
  std::size_t max_body_size = std::size_t{3} << 20U;   ///< bytes of a request body
  std::size_t max_head_size = std::size_t{64} << 10U;  ///< bytes of a request line with its headers
  /// Maximum number of content bytes in a TLS record, from 512 to 16,384. A Go server, such as kube-apiserver, writes
  /// bodies in records of 4,096 bytes.
  std::size_t max_tls_record = std::size_t{16} << 10U;
  /// A connection is closed if its peer takes longer than this to send the head of the next request, to send a further
  /// part of a request body, or to read the next part of a response (at most 256 KiB).
  Duration idle_timeout = std::chrono::seconds(90);
  /// Maximum number of functions of Response::deferred that run at the same time. Each needs a thread, which is started
  /// when it is first needed.
  std::size_t max_deferred = 2;
  /// How long stop() waits for responses in progress, and for requests that have been received in part.
  Duration stop_timeout = std::chrono::seconds(2);
  /// Whether the clients of a service may select this server, as they select a pod that is ready. Used by
  /// InProcessNetwork::find_service() only. Empty: they may.
  std::function<bool()> is_ready{};
  /// Creates the response to a request that never reaches the handler: 400, 413 or 431. Empty: `message` as plain text.
  std::function<Response(int status, std::string_view message)> error_response{};
  Log log{};
};

/// Counts since the start of the server.
struct ServerStats {
  std::uint64_t accepted = 0;  ///< connections
  std::uint64_t refused = 0;   ///< accepted connections that were closed at once, because there were too many
  std::uint64_t open = 0;      ///< connections that are open now
  std::uint64_t requests = 0;
};

/// Serves on one thread named "server", which also calls the handler; further threads run Response::deferred. A
/// stream is read only when its peer accepts more data, so a slow reader uses no memory; thousands of waiting streams
/// are cheap. Requires a real executor. The handler must outlive the server. Thread-safe.
class PINTLE_EXPORT Server {
 public:
  Server(Executor& executor, Handler& handler, ServerOptions options);
  ~Server();  ///< as stop()
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// Starts to listen and returns. Call it only once. Errors, with the address and what to do: unavailable if the port
  /// is in use, invalid otherwise.
  [[nodiscard]] Result<void> start();
  /// Prepares for stop(): connections are still accepted, but each further response ends its connection, with the
  /// header "Connection: close", so that clients connect to another server. Idempotent.
  void drain();
  /// Accepts no more connections, ends streams, lets other responses and requests that have been received in part
  /// finish within `stop_timeout`, and joins the threads. Idempotent. Must not be called from the handler.
  void stop();
  /// Uses this certificate and key for new connections; open connections keep theirs. Error: invalid, and nothing
  /// changes, if the identity cannot be used or the server was created without TLS.
  [[nodiscard]] Result<void> set_key_pair(const KeyPair& identity);

  /// Valid after a successful start().
  [[nodiscard]] std::uint16_t port() const noexcept;
  [[nodiscard]] std::string url() const;  ///< "https://127.0.0.1:6443"
  [[nodiscard]] ServerStats stats() const noexcept;

 private:
  class Listener;
  std::unique_ptr<Listener> listener_;
};

}  // namespace pintle::http
