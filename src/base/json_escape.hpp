// SPDX-License-Identifier: Apache-2.0
// The escape sequences of JSON strings, for the lines of the log and for the printer of json.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace pintle {

// The escape sequence of one character. Thread-safety: as a plain value.
class JsonEscape {
 public:
  // For a quote, a backslash or a character below U+0020, which a JSON string must not contain, and for other
  // characters up to U+FFFF, which it may contain in this form.
  constexpr explicit JsonEscape(char32_t character) noexcept {
    constexpr std::string_view digits = "0123456789abcdef";
    if (const char letter = letter_for(character); letter != '\0') {
      text_[1] = letter;
      size_ = 2;
    } else {
      for (unsigned i = 0; i < 4; ++i) text_[2 + i] = digits[character >> (12U - 4 * i) & 15U];
    }
  }
  [[nodiscard]] constexpr std::string_view text() const noexcept { return {text_.data(), size_}; }

 private:
  static constexpr char letter_for(char32_t character) noexcept {
    switch (character) {
      case U'"': return '"';
      case U'\\': return '\\';
      case U'\n': return 'n';
      case U'\r': return 'r';
      case U'\t': return 't';
      case U'\b': return 'b';
      case U'\f': return 'f';
      default: return '\0';
    }
  }

  std::array<char, 6> text_{'\\', 'u'};
  std::size_t size_ = 6;
};

}  // namespace pintle
