// SPDX-License-Identifier: Apache-2.0
// Address and Network: IP addresses and CIDRs, with the errors of Kubernetes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <pintle/base/result.hpp>

namespace pintle::cel {

struct Address {
  std::array<std::uint8_t, 16> bytes{};  // of which IPv4 uses the first 4
  bool is_v4 = false;

  [[nodiscard]] std::size_t size() const noexcept { return is_v4 ? 4 : 16; }
  // The canonical text: "10.0.0.1", "2001:db8::1".
  [[nodiscard]] std::string to_string() const;
  friend bool operator==(const Address&, const Address&) noexcept = default;
};

// An address with the number of leading bits that identify the network.
struct Network {
  Address address{};
  int bits = 0;

  [[nodiscard]] std::string to_string() const;
  [[nodiscard]] Network masked() const noexcept;
  [[nodiscard]] bool contains(const Address& other) const noexcept;
  [[nodiscard]] bool contains(const Network& other) const noexcept;
  friend bool operator==(const Network&, const Network&) noexcept = default;
};

// Addresses with a zone and IPv4 addresses in IPv6 form are refused. Error: invalid.
[[nodiscard]] Result<Address> parse_address(std::string_view text);
[[nodiscard]] Result<Network> parse_network(std::string_view text);

}  // namespace pintle::cel
