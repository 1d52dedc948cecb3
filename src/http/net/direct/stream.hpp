// SPDX-License-Identifier: Apache-2.0
// Stream: an exchange that the I/O thread carries out on a connection of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <pintle/http/transport.hpp>

#include "connecting.hpp"
#include "http/exchange.hpp"
#include "http/net/errors.hpp"
#include "read_pace.hpp"
#include "round_trip.hpp"

namespace pintle::http {

// Belongs to the I/O thread.
class Stream final : private ResponseParser::Sink {
 public:
  Stream(std::shared_ptr<Exchange> of, std::string request_text)
      : exchange(std::move(of)), text_(std::move(request_text)) {}

  // Begins to send the request on this connection, unless Request::before_send returns an error.
  [[nodiscard]] Result<void> begin(Connected connected);
  // As RoundTrip::step(). Call it after begin().
  [[nodiscard]] RoundTrip::State step(std::span<char> buffer) { return trip_->step(buffer); }

  [[nodiscard]] bool is_connected() const noexcept { return trip_.has_value(); }
  [[nodiscard]] int socket() { return trip_->connection().wire.socket(); }
  // Call it when step() has read everything. Returns whether to wait until the socket holds much, or until
  // ReadPace::wait has passed, and prepares the socket for it.
  [[nodiscard]] bool gathers(Instant now);
  // Whether the connection is broken because the server closed it while it was idle, and the request may be sent again.
  [[nodiscard]] bool may_begin_again();
  // Ends the use of the connection and returns it if it can carry another request.
  [[nodiscard]] std::optional<ConnectionPool::Connection> release();
  // The error of a state that ends the exchange.
  [[nodiscard]] Error error_of(RoundTrip::State state);

  const std::shared_ptr<Exchange> exchange;
  bool was_sent = false;             // or a part of it
  std::uint32_t awaited = 0;         // the events for which the poller watches the socket
  bool is_ready = false;             // it continues in the next turn, without an event of its socket
  Transport::TimerId gathering = 0;  // continues without an event of the socket, if not 0

 private:
  void on_head(const ResponseHead& head) override;
  void on_body(std::string_view chunk) override {
    received_ += chunk.size();
    exchange->body(chunk);
  }

  const std::string text_;
  std::optional<Duration> name_lookup_;
  std::optional<RoundTrip> trip_;
  std::size_t received_ = 0;  // since the last call of gathers()
  ReadPace pace_;
};

}  // namespace pintle::http
