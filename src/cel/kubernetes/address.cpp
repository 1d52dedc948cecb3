// SPDX-License-Identifier: Apache-2.0
#include "address.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include <pintle/base/result.hpp>

#include "cel/library/declare.hpp"

namespace pintle::cel {
namespace {

// Why a text is no address: the message, and the rest of the text from which it does not fit.
struct Mistake {
  std::string_view why{};
  std::string_view at{};

  [[nodiscard]] bool exists() const noexcept { return !why.empty(); }
  [[nodiscard]] std::string describe(std::string_view text) const {
    auto out = fmt::format("ParseAddr(\"{}\"): {}", text, why);
    if (!at.empty()) out += fmt::format(" (at \"{}\")", at);
    return out;
  }
};

bool is_digit_of_address(char c) noexcept { return c >= '0' && c <= '9'; }

int hexadecimal(char c) noexcept {
  if (is_digit_of_address(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

Mistake parse_v4(std::string_view text, std::span<std::uint8_t, 4> fields) {
  int value = 0;
  std::size_t field = 0;
  std::size_t digits = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (is_digit_of_address(text[i])) {
      if (digits == 1 && value == 0) return {"IPv4 field has octet with leading zero"};
      value = value * 10 + (text[i] - '0');
      ++digits;
      if (value > 255) return {"IPv4 field has value >255"};
    } else if (text[i] == '.') {
      if (i == 0 || i + 1 == text.size() || text[i - 1] == '.') {
        return {"IPv4 field must have at least one digit", text.substr(i)};
      }
      if (field == 3) return {"IPv4 address too long"};
      fields[field++] = static_cast<std::uint8_t>(value);
      value = 0;
      digits = 0;
    } else {
      return {"unexpected character", text.substr(i)};
    }
  }
  if (field < 3) return {"IPv4 address too short"};
  fields[3] = static_cast<std::uint8_t>(value);
  return {};
}

class V6Parser {
 public:
  V6Parser(std::string_view text, Address& out) noexcept : rest_(text), out_(out) {}

  Mistake run() {
    if (rest_.starts_with("::")) {
      gap_ = 0;
      rest_.remove_prefix(2);
      if (rest_.empty()) return {};
    }
    while (size_ < 16) {
      if (const auto mistake = parse_group(); mistake.exists()) return mistake;
      if (rest_.empty()) break;
    }
    if (!rest_.empty()) return {"trailing garbage after address", rest_};
    return fill_gap();
  }

 private:
  Mistake parse_group() {
    std::size_t length = 0;
    unsigned value = 0;
    for (; length < rest_.size() && hexadecimal(rest_[length]) >= 0; ++length) {
      if (length > 3) return {"each group must have 4 or less digits", rest_};
      value = value * 16 + static_cast<unsigned>(hexadecimal(rest_[length]));
    }
    if (length == 0) return {"each colon-separated field must have at least one digit", rest_};
    if (length < rest_.size() && rest_[length] == '.') return parse_embedded();
    out_.bytes[size_] = static_cast<std::uint8_t>(value >> 8U);
    out_.bytes[size_ + 1] = static_cast<std::uint8_t>(value & 0xFFU);
    size_ += 2;
    rest_.remove_prefix(length);
    return rest_.empty() ? Mistake{} : take_colon();
  }

  Mistake parse_embedded() {
    if (gap_ == std::string_view::npos && size_ != 12) {
      return {"embedded IPv4 address must replace the final 2 fields of the address", rest_};
    }
    if (size_ + 4 > 16) return {"too many hex fields to fit an embedded IPv4 at the end of the address", rest_};
    const auto mistake = parse_v4(rest_, std::span<std::uint8_t, 4>(out_.bytes.data() + size_, 4));
    size_ += 4;
    rest_ = {};
    return mistake;
  }

  Mistake take_colon() {
    if (rest_.front() != ':') return {"unexpected character, want colon", rest_};
    if (rest_.size() == 1) return {"colon must be followed by more characters", rest_};
    rest_.remove_prefix(1);
    if (rest_.front() != ':') return {};
    if (gap_ != std::string_view::npos) return {"multiple :: in address", rest_};
    gap_ = size_;
    rest_.remove_prefix(1);
    return {};
  }

  // The place of "::" takes as many zeros as are missing.
  Mistake fill_gap() {
    if (size_ == 16)
      return gap_ == std::string_view::npos ? Mistake{} : Mistake{"the :: must expand to at least one field of zeros"};
    if (gap_ == std::string_view::npos) return {"address string too short"};
    const auto begin = out_.bytes.begin();
    std::move_backward(begin + static_cast<std::ptrdiff_t>(gap_), begin + static_cast<std::ptrdiff_t>(size_),
                       out_.bytes.end());
    std::fill_n(begin + static_cast<std::ptrdiff_t>(gap_), 16 - size_, std::uint8_t{0});
    return {};
  }

  std::string_view rest_;
  Address& out_;
  std::size_t size_ = 0;
  std::size_t gap_ = std::string_view::npos;
};

Mistake parse_any(std::string_view text, Address& out, std::string_view& zone) {
  const auto mark = text.find_first_of(".:%");
  if (mark == std::string_view::npos) return {"unable to parse IP"};
  if (text[mark] == '%') return {"missing IPv6 address"};
  if (text[mark] == '.') {
    out.is_v4 = true;
    return parse_v4(text, std::span<std::uint8_t, 4>(out.bytes.data(), 4));
  }
  if (const auto percent = text.find('%'); percent != std::string_view::npos) {
    zone = text.substr(percent + 1);
    if (zone.empty()) return {"zone must be a non-empty string"};
    text = text.substr(0, percent);
  }
  return V6Parser(text, out).run();
}

bool is_v4_in_v6(const Address& address) noexcept {
  return !address.is_v4 &&
         std::all_of(address.bytes.begin(), address.bytes.begin() + 10, [](auto byte) { return byte == 0; }) &&
         address.bytes[10] == 0xFF && address.bytes[11] == 0xFF;
}

tl::unexpected<Error> network_error(const std::string& why) {
  return failure("network address parse error during conversion from string: " + why);
}

std::string v6_text(const std::array<std::uint8_t, 16>& bytes) {
  std::array<unsigned, 8> groups{};
  for (std::size_t i = 0; i < 8; ++i) groups[i] = bytes[2 * i] * 256U + bytes[2 * i + 1];
  std::size_t start = 8;  // of the longest run of zeros, which has at least two groups
  std::size_t length = 1;
  for (std::size_t i = 0; i < 8; ++i) {
    std::size_t end = i;
    while (end < 8 && groups[end] == 0) ++end;
    if (end - i > length) {
      start = i;
      length = end - i;
    }
  }
  std::string out;
  for (std::size_t i = 0; i < 8; ++i) {
    if (i == start) {
      out += "::";
      i += length - 1;
      continue;
    }
    if (!out.empty() && !out.ends_with(':')) out += ':';
    out += fmt::format("{:x}", groups[i]);
  }
  return out;
}

}  // namespace

std::string Address::to_string() const {
  return is_v4 ? fmt::format("{}.{}.{}.{}", bytes[0], bytes[1], bytes[2], bytes[3]) : v6_text(bytes);
}

std::string Network::to_string() const { return fmt::format("{}/{}", address.to_string(), bits); }

Network Network::masked() const noexcept {
  Network out = *this;
  for (std::size_t i = 0; i < 16; ++i) {
    const int kept = std::clamp(bits - static_cast<int>(i) * 8, 0, 8);
    out.address.bytes[i] &= static_cast<std::uint8_t>(0xFF00U >> static_cast<unsigned>(kept));
  }
  return out;
}

bool Network::contains(const Address& other) const noexcept {
  if (address.is_v4 != other.is_v4) return false;
  return Network{other, bits}.masked().address == masked().address;
}

bool Network::contains(const Network& other) const noexcept { return bits <= other.bits && contains(other.address); }

Result<Address> parse_address(std::string_view text) {
  Address address;
  std::string_view zone;
  if (const auto mistake = parse_any(text, address, zone); mistake.exists()) {
    return failure(
        fmt::format("IP Address \"{}\" parse error during conversion from string: {}", text, mistake.describe(text)));
  }
  if (!zone.empty()) return failure(fmt::format("IP address \"{}\" with zone value is not allowed", text));
  if (is_v4_in_v6(address)) return failure(fmt::format("IPv4-mapped IPv6 address \"{}\" is not allowed", text));
  return address;
}

Result<Network> parse_network(std::string_view text) {
  const auto complaint = [&](const std::string& why) {
    return network_error(fmt::format("netip.ParsePrefix(\"{}\"): {}", text, why));
  };
  const auto slash = text.rfind('/');
  if (slash == std::string_view::npos) return complaint("no '/'");
  Network network;
  std::string_view zone;
  const auto address = text.substr(0, slash);
  if (const auto mistake = parse_any(address, network.address, zone); mistake.exists()) {
    return complaint(mistake.describe(address));
  }
  if (!zone.empty()) return complaint("IPv6 zones cannot be present in a prefix");
  const auto digits = text.substr(slash + 1);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), network.bits);
  if (error != std::errc() || end != digits.data() + digits.size() || digits.starts_with('-') ||
      (digits.size() > 1 && digits.starts_with('0'))) {
    return complaint(fmt::format("bad bits after slash: \"{}\"", digits));
  }
  if (network.bits > static_cast<int>(network.address.size()) * 8) return complaint("prefix length out of range");
  if (is_v4_in_v6(network.address)) return failure(fmt::format("IPv4-mapped IPv6 address \"{}\" is not allowed", text));
  return network;
}

}  // namespace pintle::cel
