// Text from elsewhere, made safe to write to a terminal or a log.
#pragma once

#include <string>
#include <string_view>

namespace pintle {

// How a character that a terminal acts on is written instead.
enum class ControlEscape {
  backslash_x,  // "\x1b", and "\u202e" beyond ASCII: for people
  json,         // "\u001b"
};

// The text as well-formed UTF-8 on one line: bytes that are not part of well-formed UTF-8 become U+FFFD, and each
// character that a terminal or viewer acts on is escaped: C0 and C1 controls (ESC, newline and tab too), DEL, and the
// characters that change the direction of text or begin a line.
[[nodiscard]] std::string terminal_text(std::string_view text, ControlEscape escape = ControlEscape::backslash_x);

// Whether terminal_text() would return the same.
[[nodiscard]] bool is_terminal_text(std::string_view text) noexcept;

}  // namespace pintle
