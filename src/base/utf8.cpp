// SPDX-License-Identifier: Apache-2.0
#include <pintle/base/utf8.hpp>

#include <algorithm>
#include <cstdint>

namespace pintle {
namespace {

constexpr bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

}  // namespace

// The well-formed sequences are those of Unicode 15, table 3-7.
std::size_t utf8_length(std::string_view text) noexcept {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const std::uint8_t first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xC2 && first < 0xE0 ? 2 : first < 0xE0 ? 0 : first < 0xF0 ? 3 : 4;
  if (length == 0 || first > 0xF4 || text.size() < length) return 0;
  if (!std::all_of(text.begin() + 1, text.begin() + static_cast<std::ptrdiff_t>(length), is_continuation)) return 0;
  const bool is_overlong = (first == 0xE0 && byte(1) < 0xA0) || (first == 0xF0 && byte(1) < 0x90);
  const bool is_surrogate = first == 0xED && byte(1) >= 0xA0;
  const bool is_beyond = first == 0xF4 && byte(1) >= 0x90;
  return is_overlong || is_surrogate || is_beyond ? 0 : length;
}

std::string_view truncate_utf8(std::string_view text, std::size_t size) noexcept {
  if (text.size() <= size) return text;
  while (size > 0 && is_continuation(text[size])) --size;
  return text.substr(0, size);
}

std::string sanitize_utf8(std::string_view text) {
  std::string sanitized;
  sanitized.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    sanitized.append(length == 0 ? std::string_view("\uFFFD") : text.substr(0, length));
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return sanitized;
}

void sanitize_utf8_in_place(std::string& text) {
  const auto is_ascii = [](char c) { return (static_cast<unsigned char>(c) & 0x80U) == 0; };
  std::string_view rest = text;
  while (true) {
    const auto skipped = std::find_if_not(rest.begin(), rest.end(), is_ascii) - rest.begin();
    rest.remove_prefix(static_cast<std::size_t>(skipped));
    if (rest.empty()) return;
    const std::size_t length = utf8_length(rest);
    if (length == 0) {
      text = sanitize_utf8(text);
      return;
    }
    rest.remove_prefix(length);
  }
}

}  // namespace pintle
