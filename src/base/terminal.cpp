#include <pintle/base/terminal.hpp>

#include <cstdint>

#include <fmt/format.h>

#include <pintle/base/utf8.hpp>

namespace pintle {
namespace {

// Decodes a well-formed UTF-8 sequence.
std::uint32_t code_point(std::string_view sequence) {
  const auto first = static_cast<std::uint8_t>(sequence[0]);
  if (sequence.size() == 1) return first;
  std::uint32_t code = first & (0xFFU >> (sequence.size() + 1));
  for (const char c : sequence.substr(1)) code = (code << 6U) | (static_cast<std::uint8_t>(c) & 0x3FU);
  return code;
}

bool is_control(std::uint32_t code) {
  const bool is_c0_or_c1 = code < 0x20 || (code >= 0x7F && code < 0xA0);
  const bool changes_direction = code == 0x061C || code == 0x200E || code == 0x200F ||
                                 (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
  const bool begins_line = code == 0x2028 || code == 0x2029;
  return is_c0_or_c1 || changes_direction || begins_line;
}

std::string escaped(std::uint32_t code, ControlEscape escape) {
  if (code == '\n') return "\\n";
  if (code == '\r') return "\\r";
  if (code == '\t') return "\\t";
  return escape == ControlEscape::json || code > 0xFF ? fmt::format("\\u{:04x}", code) : fmt::format("\\x{:02x}", code);
}

}  // namespace

std::string escape_for_terminal(std::string_view text, ControlEscape escape) {
  std::string safe;
  safe.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const std::string_view sequence = text.substr(0, length == 0 ? 1 : length);
    if (length == 0) {
      safe += "\uFFFD";
    } else if (const std::uint32_t code = code_point(sequence); is_control(code)) {
      safe += escaped(code, escape);
    } else {
      safe += sequence;
    }
    text.remove_prefix(sequence.size());
  }
  return safe;
}

bool is_terminal_safe(std::string_view text) noexcept {
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    if (length == 0 || is_control(code_point(text.substr(0, length)))) return false;
    text.remove_prefix(length);
  }
  return true;
}

}  // namespace pintle
