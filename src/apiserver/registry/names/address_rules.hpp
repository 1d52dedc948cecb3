// SPDX-License-Identifier: Apache-2.0
// The rules for IP addresses and ranges of them, with the messages of kube-apiserver.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "name_rules.hpp"

namespace pintle::apiserver {

// The bytes of an IPv4 address (4) or an IPv6 address (16), and the number of bits that all addresses of a range share.
struct AddressRange {
  std::string bytes{};
  int bits = 0;

  // True if each address of `other` is in this range, which has further ones.
  [[nodiscard]] bool is_larger_than(const AddressRange& other) const noexcept;
};

// Returns the range of a text with a slash, such as "10.0.0.0/8"; nothing if it has another form.
[[nodiscard]] std::optional<AddressRange> parse_range(std::string_view text);

[[nodiscard]] TextErrors address_errors(std::string_view text);          // "10.9.8.7"
[[nodiscard]] TextErrors ipv4_address_errors(std::string_view text);     // the same, without IPv6
[[nodiscard]] TextErrors ipv6_address_errors(std::string_view text);     // the same, without IPv4
[[nodiscard]] TextErrors range_text_errors(std::string_view text);       // "10.9.8.0/24"
[[nodiscard]] TextErrors special_address_errors(std::string_view text);  // an address to which no traffic can be sent

}  // namespace pintle::apiserver
