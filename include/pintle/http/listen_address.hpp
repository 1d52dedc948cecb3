// ListenAddress: HOST:PORT, where a server is to be reached.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <pintle/base/result.hpp>

namespace pintle::http {

struct ListenAddress {
  std::string host{};  // a name or an address, IPv6 without brackets; empty when none is named
  std::uint16_t port = 0;

  // Whether only this machine gets there: 127.0.0.0/8, ::1 and the name localhost. Other names are not looked up.
  [[nodiscard]] bool is_loopback() const noexcept;
  // "127.0.0.1:8443", "[::1]:8443".
  [[nodiscard]] std::string to_string() const;
};

// Error: invalid, with an example.
[[nodiscard]] Result<ListenAddress> parse_listen_address(std::string_view text);

}  // namespace pintle::http
