// SPDX-License-Identifier: Apache-2.0
#include "text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include <pintle/base/utf8.hpp>

namespace pintle::cel {
namespace {

constexpr std::string_view base64_digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

constexpr std::size_t few_comparisons = std::size_t{1} << 16U;

}  // namespace

bool append_code_point(std::string& out, std::uint32_t code_point) {
  if (code_point > 0x10FFFFU || (code_point >= 0xD800U && code_point <= 0xDFFFU)) return false;
  const auto byte = [&out](std::uint32_t bits) { out += static_cast<char>(static_cast<unsigned char>(bits)); };
  const auto tail = [&](unsigned shift) { byte(0x80U | ((code_point >> shift) & 0x3FU)); };
  if (code_point < 0x80U) {
    byte(code_point);
  } else if (code_point < 0x800U) {
    byte(0xC0U | (code_point >> 6U));
    tail(0);
  } else if (code_point < 0x10000U) {
    byte(0xE0U | (code_point >> 12U));
    tail(6);
    tail(0);
  } else {
    byte(0xF0U | (code_point >> 18U));
    tail(12);
    tail(6);
    tail(0);
  }
  return true;
}

std::size_t count_code_points(std::string_view text) noexcept {
  constexpr std::uint64_t not_ascii = 0x8080808080808080U;
  std::size_t count = 0;
  for (std::uint64_t word = 0; text.size() >= sizeof word; count += sizeof word) {
    std::memcpy(&word, text.data(), sizeof word);
    if ((word & not_ascii) != 0) break;
    text.remove_prefix(sizeof word);
  }
  for (; !text.empty(); ++count) text.remove_prefix(std::max<std::size_t>(1, utf8_length(text)));
  return count;
}

bool is_well_formed_utf8(std::string_view text) noexcept {
  while (!text.empty()) {
    const auto length = utf8_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

// memmem() of glibc and musl is linear; find() compares the part at each place.
std::size_t find_part(std::string_view text, std::string_view part, std::size_t start) noexcept {
  if (start > text.size()) return std::string_view::npos;
  if (part.empty()) return start;
  const std::string_view rest = text.substr(start);
  const void* found = rest.empty() ? nullptr : memmem(rest.data(), rest.size(), part.data(), part.size());
  if (found == nullptr) return std::string_view::npos;
  return static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
}

// The last place is the first one in the reversed texts.
std::size_t find_last_part(std::string_view text, std::string_view part, std::size_t start) {
  if (part.size() > text.size()) return std::string_view::npos;
  text = text.substr(0, std::min(start, text.size() - part.size()) + part.size());
  if (part.empty() || text.size() <= few_comparisons / part.size()) return text.rfind(part);
  const std::string reversed_text(text.rbegin(), text.rend());
  const std::string reversed_part(part.rbegin(), part.rend());
  const std::size_t found = find_part(reversed_text, reversed_part);
  return found == std::string_view::npos ? found : text.size() - found - part.size();
}

std::string encode_base64(std::string_view data) {
  std::string out;
  for (std::size_t i = 0; i < data.size(); i += 3) {
    const auto part = data.substr(i, 3);
    std::uint32_t bits = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      bits = (bits << 8U) | (j < part.size() ? static_cast<unsigned char>(part[j]) : 0U);
    }
    for (std::size_t j = 0; j < 4; ++j) {
      out += j <= part.size() ? base64_digits[(bits >> (18U - 6U * j)) & 0x3FU] : '=';
    }
  }
  return out;
}

std::optional<std::string> decode_base64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  const auto padding = text.ends_with("==") ? 2U : text.ends_with('=') ? 1U : 0U;
  text.remove_suffix(padding);
  std::string out;
  std::uint32_t bits = 0;
  unsigned count = 0;  // of the bits that are not yet in `out`
  for (const char c : text) {
    const auto digit = base64_digits.find(c);
    if (digit == std::string_view::npos) return std::nullopt;
    bits = (bits << 6U) | static_cast<std::uint32_t>(digit);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    out += static_cast<char>(static_cast<unsigned char>((bits >> count) & 0xFFU));
  }
  return out;
}

std::string format_number(double number) {
  if (std::isnan(number)) return "NaN";
  if (std::isinf(number)) return number > 0 ? "+Inf" : "-Inf";
  std::array<char, 64> buffer{};
  const auto scientific =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), number, std::chars_format::scientific);
  const std::string text(buffer.data(), scientific.ptr);
  int exponent = 0;
  const auto digits = text.substr(text.find('e') + 1);
  std::from_chars(digits.data() + (digits.starts_with('+') ? 1 : 0), digits.data() + digits.size(), exponent);
  if (exponent < -4 || exponent >= 6) return text;
  const auto fixed = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number, std::chars_format::fixed);
  return {buffer.data(), fixed.ptr};
}

}  // namespace pintle::cel
