// SPDX-License-Identifier: Apache-2.0
// RoundTrip: one request and its response on one connection, without waiting.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "connection_pool.hpp"
#include "response_parser.hpp"

namespace pintle::http {

// Used by one thread at a time.
class RoundTrip {
 public:
  enum class State {
    busy,         // there may be more to move at once
    wants_read,   // continue when the socket is readable
    wants_write,  // continue when the socket is writable
    complete,
    broken,     // the connection has ended before the response was complete, see Wire::failure()
    malformed,  // the response is not HTTP
  };

  // `text` is the whole request. It and `sink` must outlive this object.
  RoundTrip(ConnectionPool::Connection connection, std::string_view text, bool has_body, ResponseParser::Sink& sink)
      : connection_(std::move(connection)), unsent_(text), parser_(has_body, sink) {}

  // Sends a part of the request or receives a part of the response, of at most the size of `buffer`.
  [[nodiscard]] State step(std::span<char> buffer);

  [[nodiscard]] bool has_response() const noexcept { return parser_.has_begun(); }
  [[nodiscard]] bool can_be_reused() const { return parser_.keeps_alive(); }
  [[nodiscard]] ConnectionPool::Connection& connection() noexcept { return connection_; }

 private:
  [[nodiscard]] State send();
  [[nodiscard]] State receive(std::span<char> buffer);

  ConnectionPool::Connection connection_;
  std::string_view unsent_;
  bool has_failed_ = false;  // the request could not be sent
  ResponseParser parser_;
};

}  // namespace pintle::http
