// SPDX-License-Identifier: Apache-2.0
#include <pintle/base/terminal.hpp>

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

#include <pintle/base/utf8.hpp>

#include "json_escape.hpp"

namespace pintle {
namespace {

// Returns the number of printable ASCII characters at the start of the text.
std::size_t count_printable(std::string_view text) noexcept {
  const auto* end = std::ranges::find_if_not(text, [](char c) { return c >= ' ' && c < '\x7f'; });
  return static_cast<std::size_t>(end - text.begin());
}

// The same, up to a quote or a backslash.
std::size_t count_printable_in_json(std::string_view text) noexcept {
  const auto* end =
      std::ranges::find_if_not(text, [](char c) { return c >= ' ' && c < '\x7f' && c != '"' && c != '\\'; });
  return static_cast<std::size_t>(end - text.begin());
}

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

std::string for_people(std::uint32_t code) {
  if (code == '\n') return "\\n";
  if (code == '\r') return "\\r";
  if (code == '\t') return "\\t";
  return code > 0xFF ? fmt::format("\\u{:04x}", code) : fmt::format("\\x{:02x}", code);
}

}  // namespace

void append_for_terminal(std::string& out, std::string_view text, ControlEscape escape) {
  const bool is_json = escape == ControlEscape::json;
  while (true) {
    const std::size_t printable = is_json ? count_printable_in_json(text) : count_printable(text);
    out += text.substr(0, printable);
    text.remove_prefix(printable);
    if (text.empty()) return;
    const std::size_t length = utf8_length(text);
    const std::string_view sequence = text.substr(0, length == 0 ? 1 : length);
    if (length == 0) {
      out += "\uFFFD";
    } else if (const std::uint32_t code = code_point(sequence); is_control(code) || length == 1) {
      is_json ? out += JsonEscape(code).text() : out += for_people(code);
    } else {
      out += sequence;
    }
    text.remove_prefix(sequence.size());
  }
}

std::string escape_for_terminal(std::string_view text, ControlEscape escape) {
  std::string safe;
  safe.reserve(text.size());
  append_for_terminal(safe, text, escape);
  return safe;
}

bool is_terminal_safe(std::string_view text) noexcept {
  while (true) {
    text.remove_prefix(count_printable(text));
    if (text.empty()) return true;
    const std::size_t length = utf8_length(text);
    if (length == 0 || is_control(code_point(text.substr(0, length)))) return false;
    text.remove_prefix(length);
  }
}

}  // namespace pintle
