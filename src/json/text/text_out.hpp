// SPDX-License-Identifier: Apache-2.0
// TextOut: a buffer in front of a string, because a document is printed in many short pieces.
#pragma once

#include <array>
#include <charconv>
#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>

#include "json/document/scratch.hpp"

namespace pintle::json {

// The string is complete after finish(). Not copyable: a copy would contain the buffered text, too.
class TextOut {
 public:
  explicit TextOut(std::string& out) noexcept : out_(out) {}
  TextOut(const TextOut&) = delete;
  TextOut& operator=(const TextOut&) = delete;

  void put(char c) { *room(1) = c, ++size_; }
  // `piece` has at most max_piece_size characters.
  void put(std::string_view piece) { copy_text(room(piece.size()), piece), size_ += piece.size(); }
  template <std::integral Number>
  void put_number(Number number) {
    constexpr std::size_t max_digits = 20;
    char* begin = room(max_digits);
    size_ += static_cast<std::size_t>(std::to_chars(begin, begin + max_digits, number).ptr - begin);
  }
  // Appends a string in quotes, with the necessary escapes, and then `next`.
  void put_quoted(std::string_view text, char next);
  // Removes the character that the previous call appended last, if it is `c`.
  void take_back(char c) noexcept {
    if (size_ != 0 && buffer_[size_ - 1] == c) --size_;
  }

  // Appends the buffered text to the string and returns the string.
  std::string& finish() {
    out_.append(buffer_.data(), size_);
    size_ = 0;
    return out_;
  }

  static constexpr std::size_t max_piece_size = 256;

 private:
  // Returns room for `more` characters.
  char* room(std::size_t more) {
    if (buffer_.size() - size_ < more) finish();
    return buffer_.data() + size_;
  }
  void put_escaped(std::string_view text, char next);

  std::string& out_;
  std::size_t size_ = 0;
  std::array<char, std::size_t{4} << 10U> buffer_;  // NOLINT(*-member-init): only written characters are read
};

}  // namespace pintle::json
