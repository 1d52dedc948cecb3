// TextOut: text on its way to the end of a string, gathered first, as a document is made of many short pieces.
#pragma once

#include <array>
#include <charconv>
#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>

#include "json/document/scratch.hpp"

namespace pintle::json {

// What was put is in the string after finish(). Not to be copied: it is a place as well as a value.
class TextOut {
 public:
  explicit TextOut(std::string& out) noexcept : out_(out) {}
  TextOut(const TextOut&) = delete;
  TextOut& operator=(const TextOut&) = delete;

  void put(char c) { *room(1) = c, ++size_; }
  // Of at most `longest_piece` characters.
  void put(std::string_view piece) { copy_text(room(piece.size()), piece), size_ += piece.size(); }
  template <std::integral Number>
  void put_number(Number number) {
    constexpr std::size_t most_digits = 20;
    char* begin = room(most_digits);
    size_ += static_cast<std::size_t>(std::to_chars(begin, begin + most_digits, number).ptr - begin);
  }
  // Between quotes, what must not stand there as it is escaped; and `next` behind it.
  void put_quoted(std::string_view text, char next);
  // The character that was put last, by the call before this one, if it is `c`.
  void take_back(char c) noexcept {
    if (size_ != 0 && buffer_[size_ - 1] == c) --size_;
  }

  // The string, with all that was put.
  std::string& finish() {
    out_.append(buffer_.data(), size_);
    size_ = 0;
    return out_;
  }

  static constexpr std::size_t longest_piece = 256;

 private:
  // A place for so many more.
  char* room(std::size_t more) {
    if (buffer_.size() - size_ < more) finish();
    return buffer_.data() + size_;
  }
  void put_escaped(std::string_view text, char next);
  void escape(char c);

  std::string& out_;
  std::size_t size_ = 0;
  std::array<char, std::size_t{4} << 10U> buffer_;  // NOLINT(*-member-init): what is not put is not read
};

}  // namespace pintle::json
