// SPDX-License-Identifier: Apache-2.0
#include <pintle/base/terminal.hpp>

#include <gtest/gtest.h>

#include <pintle/base/random.hpp>
#include <pintle/base/utf8.hpp>

namespace pintle {
namespace {

TEST(TerminalText, EscapesControlCharacters) {
  EXPECT_EQ(escape_for_terminal("\x1b]0;title\x07 \x1b[31mred"), "\\x1b]0;title\\x07 \\x1b[31mred");
  EXPECT_EQ(escape_for_terminal("a\nb\tc\r\x7f"), "a\\nb\\tc\\r\\x7f");
  EXPECT_EQ(escape_for_terminal("\xc2\x9b"
                                "31m"),
            "\\x9b31m")
      << "the one-character form of ESC [";
  EXPECT_EQ(escape_for_terminal("\u202Etxt.exe\u2066"), "\\u202etxt.exe\\u2066");
  EXPECT_EQ(escape_for_terminal("\x1b", ControlEscape::json), "\\u001b");
  EXPECT_EQ(escape_for_terminal(std::string_view("a\0b", 3)), "a\\x00b");
}

TEST(TerminalText, DoesNotChangeOtherText) {
  for (const char* text : {"", "plain = \"text\"", "Größe 42 €", "日本語 🙂"}) {
    EXPECT_EQ(escape_for_terminal(text), text);
    EXPECT_TRUE(is_terminal_safe(text)) << text;
  }
}

TEST(TerminalText, IsAlwaysOneWellFormedLineWithoutControls) {
  Random random(7);
  for (int round = 0; round < 2000; ++round) {
    std::string text;
    for (std::uint64_t length = random.below(40); length > 0; --length) text += static_cast<char>(random.below(256));
    for (const ControlEscape escape : {ControlEscape::backslash_x, ControlEscape::json}) {
      const std::string safe = escape_for_terminal(text, escape);
      ASSERT_TRUE(is_terminal_safe(safe)) << "round " << round;
      ASSERT_EQ(sanitize_utf8(safe), safe);
      for (const char c : safe) ASSERT_GE(static_cast<unsigned char>(c), 0x20U);
    }
  }
}

}  // namespace
}  // namespace pintle
