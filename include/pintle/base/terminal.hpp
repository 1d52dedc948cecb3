// SPDX-License-Identifier: Apache-2.0
// Makes text from other sources safe to write to a terminal or a log.
#pragma once

#include <string>
#include <string_view>

#include <pintle/base/annotations.hpp>

namespace pintle {

/// The escape sequences for characters that a terminal interprets.
enum class ControlEscape {
  /// For people: "\n", "\r" and "\t"; for other characters the form "\x1b" up to U+00FF, and the form "\u202e" above
  /// U+00FF. A backslash in the text is not escaped.
  backslash_x,
  /// For the content of a JSON string: "\n" and the other short forms of JSON; otherwise "\u001b". A quote and a
  /// backslash are escaped, too.
  json,
};

/// Returns the text as well-formed UTF-8 on one line. Bytes that are not part of well-formed UTF-8 become U+FFFD. Each
/// character that a terminal or viewer interprets is escaped: C0 and C1 controls (including ESC, newline and tab), DEL,
/// the characters that change the direction of text, and the line and paragraph separators U+2028 and U+2029.
[[nodiscard]] PINTLE_EXPORT std::string escape_for_terminal(std::string_view text,
                                                            ControlEscape escape = ControlEscape::backslash_x);

/// Appends the result of escape_for_terminal() to `out`.
PINTLE_EXPORT void append_for_terminal(std::string& out, std::string_view text,
                                       ControlEscape escape = ControlEscape::backslash_x);

/// Whether escape_for_terminal() with `backslash_x` returns the text unchanged.
[[nodiscard]] PINTLE_EXPORT bool is_terminal_safe(std::string_view text) noexcept;

}  // namespace pintle
