// SPDX-License-Identifier: Apache-2.0
#include "syntax_error.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include <fmt/format.h>

namespace pintle::apiserver {
namespace {

constexpr std::size_t max_nesting = 10'000;

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
bool is_digit(char c) { return '0' <= c && c <= '9'; }
bool is_hex_digit(char c) { return is_digit(c) || ('a' <= c && c <= 'f') || ('A' <= c && c <= 'F'); }

// Quotes one byte; a byte from 0x80 stands for the character with that number.
std::string quoted_byte(char c) {
  const auto byte = static_cast<unsigned char>(c);
  if (c == '\'') return R"('\'')";
  if (c == '\\') return R"('\\')";
  constexpr std::string_view named = "\a\b\f\n\r\t\v";
  if (const std::size_t at = named.find(c); at != std::string_view::npos)
    return fmt::format("'\\{}'", std::string_view("abfnrtv")[at]);
  if (byte < 0x20U || byte == 0x7fU) return fmt::format("'\\x{:02x}'", byte);
  if (byte < 0x80U) return fmt::format("'{}'", c);
  if (byte < 0xa1U || byte == 0xadU) return fmt::format("'\\u{:04x}'", byte);
  return fmt::format("'{}{}'", static_cast<char>(0xc0U | (byte >> 6U)), static_cast<char>(0x80U | (byte & 0x3fU)));
}

// Walks over the text without recursion, because it can be nested deeply.
class SyntaxWalk {
 public:
  explicit SyntaxWalk(std::string_view text) : text_(text) {}

  std::string run() && {
    while (error_.empty() && !is_done_) step();
    return std::move(error_);
  }

 private:
  enum class Inside { key, value, list };

  void step() {
    skip_spaces();
    if (next_is_value_) return read_value();
    if (open_.empty()) {
      if (at_ < text_.size()) fail("after top-level value");
      is_done_ = true;
      return;
    }
    after_value(open_.back());
  }

  // The comma, the colon or the bracket after a value or a key.
  void after_value(Inside& inside) {
    if (inside == Inside::key) {
      if (!take(':')) return fail("after object key");
      inside = Inside::value;
      next_is_value_ = true;
      return;
    }
    const bool in_list = inside == Inside::list;
    if (take(in_list ? ']' : '}')) return open_.pop_back();
    if (!take(',')) return fail(in_list ? "after array element" : "after object key:value pair");
    if (in_list) {
      next_is_value_ = true;
    } else {
      inside = Inside::key;
      read_key();
    }
  }

  void read_key() {
    skip_spaces();
    if (!take('"')) return fail("looking for beginning of object key string");
    read_text();
  }

  void read_value() {
    next_is_value_ = false;
    if (take('{')) return begin_object();
    if (take('[')) return begin_list();
    if (take('"')) return read_text();
    if (at_ < text_.size() && (is_digit(text_[at_]) || text_[at_] == '-')) return read_number();
    for (const std::string_view literal : {"true", "false", "null"}) {
      if (at_ < text_.size() && text_[at_] == literal.front()) return read_literal(literal);
    }
    fail("looking for beginning of value");
  }

  void begin_object() {
    if (!open(Inside::key, '{')) return;
    skip_spaces();
    if (take('}')) return open_.pop_back();
    read_key();
  }

  void begin_list() {
    if (!open(Inside::list, '[')) return;
    skip_spaces();
    if (take(']')) return open_.pop_back();
    next_is_value_ = true;
  }

  bool open(Inside inside, char bracket) {
    open_.push_back(inside);
    if (open_.size() > max_nesting) error_ = fmt::format("invalid character '{}' exceeded max depth", bracket);
    return error_.empty();
  }

  void read_literal(std::string_view literal) {
    for (const char c : literal) {
      if (!take(c)) return fail(fmt::format("in literal {} (expecting '{}')", literal, c));
    }
  }

  void read_text() {
    while (!take('"')) {
      if (at_ == text_.size() || static_cast<unsigned char>(text_[at_]) < 0x20U) return fail("in string literal");
      if (!take('\\')) {
        ++at_;
      } else if (take('u')) {
        for (int i = 0; i < 4; ++i) {
          if (!take_if(is_hex_digit)) return fail("in \\u hexadecimal character escape");
        }
      } else if (!take_if([](char c) { return std::string_view("bfnrt\\/\"").find(c) != std::string_view::npos; })) {
        return fail("in string escape code");
      }
    }
  }

  void read_number() {
    (void)take('-');
    if (!take('0')) {
      if (!take_if(is_digit)) return fail("in numeric literal");
      skip_digits();
    }
    if (take('.')) {
      if (!take_if(is_digit)) return fail("after decimal point in numeric literal");
      skip_digits();
    }
    if (!take('e') && !take('E')) return;
    if (!take('+')) (void)take('-');
    if (!take_if(is_digit)) return fail("in exponent of numeric literal");
    skip_digits();
  }

  template <class Test>
  bool take_if(Test test) {
    if (at_ == text_.size() || !test(text_[at_])) return false;
    ++at_;
    return true;
  }
  bool take(char wanted) {
    return take_if([&](char c) { return c == wanted; });
  }
  void skip_digits() {
    while (take_if(is_digit)) {}
  }
  void skip_spaces() {
    while (take_if(is_space)) {}
  }

  void fail(std::string_view where) {
    error_ = at_ == text_.size() ? "unexpected end of JSON input"
                                 : fmt::format("invalid character {} {}", quoted_byte(text_[at_]), where);
  }

  const std::string_view text_;
  std::size_t at_ = 0;
  std::vector<Inside> open_;
  bool next_is_value_ = true;
  bool is_done_ = false;
  std::string error_;
};

}  // namespace

std::string syntax_error(std::string_view text) { return SyntaxWalk(text).run(); }

}  // namespace pintle::apiserver
