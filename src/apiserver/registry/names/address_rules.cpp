// SPDX-License-Identifier: Apache-2.0
#include "address_rules.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>

#include <fmt/format.h>

namespace pintle::apiserver {
namespace {

constexpr std::string_view no_address = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";
constexpr std::string_view no_range = "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)";
constexpr std::size_t ipv4_size = 4;
constexpr std::size_t ipv6_size = 16;
constexpr std::string_view mapped_prefix("\0\0\0\0\0\0\0\0\0\0\xff\xff", 12);

// An address as it is parsed, also in a form that is not allowed.
struct Address {
  std::string bytes{};
  bool has_leading_zeros = false;

  [[nodiscard]] bool is_mapped() const { return bytes.size() == ipv6_size && bytes.starts_with(mapped_prefix); }
};

// Removes the zeros at the beginning of each number of an IPv4 address.
std::string without_leading_zeros(std::string_view text) {
  std::string out;
  bool begins = true;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool next_is_digit = i + 1 < text.size() && text[i + 1] >= '0' && text[i + 1] <= '9';
    if (begins && text[i] == '0' && next_is_digit) continue;
    out += text[i];
    begins = text[i] == '.';
  }
  return out;
}

std::optional<Address> parse_address(std::string_view text) {
  Address out;
  std::string usable(text);
  if (text.find(':') == std::string_view::npos) {
    usable = without_leading_zeros(text);
    out.has_leading_zeros = usable != text;
  }
  out.bytes.resize(ipv4_size);
  if (inet_pton(AF_INET, usable.c_str(), out.bytes.data()) == 1) return out;
  out.bytes.resize(ipv6_size);
  if (inet_pton(AF_INET6, usable.c_str(), out.bytes.data()) == 1) return out;
  return std::nullopt;
}

// True if the bits after the first `bits` are 0.
bool is_begin_of_range(const std::string& bytes, int bits) {
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const int shared = std::clamp(bits - 8 * static_cast<int>(i), 0, 8);
    if ((static_cast<unsigned char>(bytes[i]) & (0xffU >> static_cast<unsigned>(shared))) != 0) return false;
  }
  return true;
}

std::optional<int> parse_length(std::string_view digits, std::size_t size) {
  int bits = -1;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), bits);
  const bool is_number = error == std::errc{} && end == digits.data() + digits.size() && digits[0] != '-';
  return is_number && bits <= 8 * static_cast<int>(size) ? std::optional(bits) : std::nullopt;
}

TextErrors family_errors(std::string_view text, std::size_t size, std::string_view why) {
  TextErrors out = address_errors(text);
  if (out.empty() && parse_address(text)->bytes.size() != size) out.emplace_back(why);
  return out;
}

}  // namespace

bool AddressRange::is_larger_than(const AddressRange& other) const noexcept {
  if (bytes.size() != other.bytes.size() || bits >= other.bits) return false;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const int shared = std::clamp(bits - 8 * static_cast<int>(i), 0, 8);
    const unsigned mask = 0xffU & ~(0xffU >> static_cast<unsigned>(shared));
    const unsigned difference = static_cast<unsigned char>(bytes[i]) ^ static_cast<unsigned char>(other.bytes[i]);
    if ((difference & mask) != 0) return false;
  }
  return true;
}

std::optional<AddressRange> parse_range(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  auto address = parse_address(text.substr(0, slash));
  if (!address) return std::nullopt;
  const auto bits = parse_length(text.substr(slash + 1), address->bytes.size());
  if (!bits) return std::nullopt;
  return AddressRange{.bytes = std::move(address->bytes), .bits = *bits};
}

TextErrors address_errors(std::string_view text) {
  const auto address = parse_address(text);
  if (!address) return {std::string(no_address)};
  if (address->has_leading_zeros) return {"must not have leading 0s"};
  if (address->is_mapped()) return {"must not be an IPv4-mapped IPv6 address"};
  return {};
}

TextErrors ipv4_address_errors(std::string_view text) {
  return family_errors(text, ipv4_size, "must be an IPv4 address");
}

TextErrors ipv6_address_errors(std::string_view text) {
  return family_errors(text, ipv6_size, "must be an IPv6 address");
}

TextErrors range_text_errors(std::string_view text) {
  const auto range = parse_range(text);
  if (!range) return {std::string(no_range)};
  const std::size_t slash = text.find('/');
  const std::string_view length = text.substr(slash + 1);
  const auto address = parse_address(text.substr(0, slash));
  const bool has_leading_zeros = address->has_leading_zeros || (length.size() > 1 && length.front() == '0');
  if (has_leading_zeros) return {"must not have leading 0s in IP or prefix length"};
  if (address->is_mapped()) return {"must not have an IPv4-mapped IPv6 address"};
  if (!is_begin_of_range(range->bytes, range->bits)) return {"must not have bits set beyond the prefix length"};
  return {};
}

TextErrors special_address_errors(std::string_view text) {
  const auto address = parse_address(text);
  if (!address) return {"must be a valid IP address"};
  const std::string& bytes = address->bytes;
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  const bool is_ipv4 = bytes.size() == ipv4_size;
  const bool is_zero_but_last = std::all_of(bytes.begin(), bytes.end() - 1, [](char c) { return c == '\0'; });
  const auto starts_with = [&](std::initializer_list<unsigned> prefix) {
    std::size_t i = 0;
    return std::all_of(prefix.begin(), prefix.end(), [&](unsigned wanted) { return byte(i++) == wanted; });
  };
  TextErrors out;
  if (is_zero_but_last && bytes.back() == '\0') out.push_back(fmt::format("may not be unspecified ({})", text));
  if (is_ipv4 ? byte(0) == 127 : is_zero_but_last && bytes.back() == '\1') {
    out.emplace_back("may not be in the loopback range (127.0.0.0/8, ::1/128)");
  }
  if (is_ipv4 ? starts_with({169, 254}) : byte(0) == 0xfe && (byte(1) & 0xc0U) == 0x80) {
    out.emplace_back("may not be in the link-local range (169.254.0.0/16, fe80::/10)");
  }
  if (is_ipv4 ? starts_with({224, 0, 0}) : byte(0) == 0xff && (byte(1) & 0x0fU) == 0x02) {
    out.emplace_back("may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)");
  }
  return out;
}

}  // namespace pintle::apiserver
