// SPDX-License-Identifier: Apache-2.0
// The interfaces between a Server and its connections.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/string_body.hpp>

#include <pintle/http/server.hpp>

#include "blocking_pool.hpp"

namespace pintle::http {

namespace asio = boost::asio;
namespace beast = boost::beast;
using boost::system::error_code;
using Tcp = asio::ip::tcp;

// The server, as a connection uses it. Belongs to the server thread.
class Connections {
 public:
  Connections(Executor& of, Handler& handle, ServerOptions with)
      : executor(of), handler(handle), options(std::move(with)) {}
  virtual ~Connections() = default;
  virtual void ended(std::uint64_t id) = 0;  // may be called more than once
  // Runs a function that may block on another thread. Returns false if too many functions are waiting.
  [[nodiscard]] virtual bool run_blocking(BlockingTask task) = 0;

  Executor& executor;
  Handler& handler;
  const ServerOptions options;
  bool is_draining = false;  // each response ends its connection
  std::atomic<std::uint64_t> requests = 0;
};

// A connection, as the server uses it. Belongs to the server thread.
class Peer {
 public:
  virtual ~Peer() = default;
  virtual void begin() = 0;
  // Ends a stream, lets other responses and a request that has been received in part complete, and closes the
  // connection if there are none.
  virtual void stop() = 0;
  // A request has been received completely, and its response has not been sent completely.
  [[nodiscard]] virtual bool has_request() const = 0;
  virtual void close() = 0;
};

// The reason for which a request is not passed to the handler. Status 0: the peer cannot receive a response.
struct Refusal {
  int status = 0;
  std::string message{};
};
[[nodiscard]] Refusal refusal_of(const error_code& error, const ServerOptions& options);
[[nodiscard]] Refusal refusal_of(const beast::http::request<beast::http::string_body>& message);
[[nodiscard]] Request to_request(beast::http::request<beast::http::string_body>&& message);

}  // namespace pintle::http
