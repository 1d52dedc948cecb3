// What a Server and its connections see of each other.
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

// The server, for a connection. Of the server thread.
class Connections {
 public:
  Connections(Executor& of, Handler& answers, ServerOptions with)
      : executor(of), handler(answers), options(std::move(with)) {}
  virtual ~Connections() = default;
  virtual void ended(std::uint64_t id) = 0;  // perhaps again
  // Runs a function that may block, elsewhere; false when too many wait for that.
  [[nodiscard]] virtual bool run_blocking(BlockingTask task) = 0;

  Executor& executor;
  Handler& handler;
  const ServerOptions options;
  std::atomic<std::uint64_t> requests = 0;
};

// A connection, for the server. Of the server thread.
class Peer {
 public:
  virtual ~Peer() = default;
  virtual void begin() = 0;
  // Ends a stream, lets a whole answer finish, closes the rest.
  virtual void stop() = 0;
  // A request has come whole, and its answer has not been sent whole.
  [[nodiscard]] virtual bool has_request() const = 0;
  virtual void close() = 0;
};

// Why a request is not for the handler. Status 0: there is nobody to tell.
struct Refusal {
  int status = 0;
  std::string message{};
};
[[nodiscard]] Refusal refusal_of(const error_code& error, const ServerOptions& options);
[[nodiscard]] Refusal refusal_of(const beast::http::request<beast::http::string_body>& message);
[[nodiscard]] Request to_request(beast::http::request<beast::http::string_body>&& message);

}  // namespace pintle::http
