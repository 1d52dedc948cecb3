// SPDX-License-Identifier: Apache-2.0
// ListenAddress: the HOST:PORT on which a server listens.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <pintle/base/annotations.hpp>
#include <pintle/base/result.hpp>

namespace pintle::http {

struct PINTLE_EXPORT ListenAddress {
  std::string host{};  ///< a name or an IP address, IPv6 without brackets; empty: none was given
  std::uint16_t port = 0;

  /// True if only this machine can connect: 127.0.0.0/8, ::1 and the name localhost. False for other names, which are
  /// not resolved.
  [[nodiscard]] bool is_loopback() const noexcept;
  /// "127.0.0.1:8443", "[::1]:8443".
  [[nodiscard]] std::string to_string() const;
};

/// Parses HOST:PORT. Error: invalid; the message has an example.
[[nodiscard]] PINTLE_EXPORT Result<ListenAddress> parse_listen_address(std::string_view text);

}  // namespace pintle::http
