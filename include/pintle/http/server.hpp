// Server: HTTP/1.1 over TCP or TLS in front of a Handler.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include <pintle/base/log.hpp>
#include <pintle/base/result.hpp>
#include <pintle/base/runtime.hpp>
#include <pintle/http/certificates.hpp>
#include <pintle/http/handler.hpp>

namespace pintle::http {

struct ServerOptions {
  std::string listen = "127.0.0.1:0";  // HOST:PORT; port 0 picks a free one, no host means every address
  std::string certificate{};           // PEM, with what it needs of its chain; empty: no TLS
  std::string key{};                   // PEM
  std::string client_ca{};             // PEM; when given, only clients with a certificate of it get in
  // When a connection exceeds this limit, the server closes the oldest connection without a request, from the peer
  // address that has the most connections. If each connection of that address has a request, the server closes the new
  // connection. The limit is at most a third of the files that the process may have open (ulimit -n) when start() is
  // called, so that peers cannot exhaust them.
  std::size_t max_connections = 4096;
  std::size_t max_body = std::size_t{3} << 20U;
  std::size_t max_head = std::size_t{64} << 10U;
  Duration idle_timeout =
      std::chrono::seconds(90);  // of a kept connection, a request half sent, a reader that stands still
  Duration stop_timeout = std::chrono::seconds(2);  // what stop() gives answers that are under way
  // Makes the answer to what never reaches the handler: 400, 413, 431. None: the message as text.
  std::function<Response(int status, std::string_view message)> refusal{};
  Log log{};
};

// What a server has done so far.
struct ServerStatistics {
  std::uint64_t accepted = 0;  // connections
  std::uint64_t refused = 0;   // of them, closed at once
  std::uint64_t open = 0;      // connections now
  std::uint64_t requests = 0;
};

// Serves on one thread, named "server", on which it calls the handler; two more make answers that have to wait. A
// stream is read only when its peer can take more, so a slow reader costs no memory; thousands of waiting streams are
// cheap. Needs a real Runtime; the handler must outlive it. Thread-safe.
class Server {
 public:
  Server(Runtime& runtime, Handler& handler, ServerOptions options);
  ~Server();  // as stop()
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  // Listens and returns; once. Errors, naming the address and what to do: unavailable for a port in use, invalid for
  // the rest.
  [[nodiscard]] Result<void> start();
  // Takes no more connections, ends streams, lets whole answers finish, joins its threads. Idempotent; not from the
  // handler.
  void stop();
  // Connections from now on are shown this identity; those that are open keep theirs. Error: invalid, and nothing
  // changes, for one that cannot be used or a server that was made without.
  [[nodiscard]] Result<void> set_identity(const Identity& identity);

  // After a start that succeeded.
  [[nodiscard]] std::uint16_t port() const noexcept;
  [[nodiscard]] std::string url() const;  // "https://127.0.0.1:6443"
  [[nodiscard]] ServerStatistics statistics() const noexcept;

 private:
  class Listener;
  std::unique_ptr<Listener> listener_;
};

}  // namespace pintle::http
