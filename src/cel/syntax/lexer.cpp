// SPDX-License-Identifier: Apache-2.0
#include "lexer.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <pintle/base/utf8.hpp>

#include "issues.hpp"
#include "token.hpp"

namespace pintle::cel {
namespace {

constexpr auto npos = std::string_view::npos;

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
bool is_hex(char c) noexcept { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
bool is_letter(char c) noexcept { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_quote(char c) noexcept { return c == '"' || c == '\''; }
bool is_space(char c) noexcept { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f'; }

class Lexer {
 public:
  Lexer(std::string_view text, Issues& issues) noexcept : text_(text), issues_(issues) {}

  std::vector<Token> scan_all() {
    std::vector<Token> tokens;
    for (skip_space(); at_ < text_.size(); skip_space()) {
      const auto start = at_;
      const auto kind = scan_token();
      if (kind == TokenKind::end) {
        report(start);
      } else {
        tokens.push_back({.kind = kind, .offset = start, .text = text_.substr(start, at_ - start)});
      }
    }
    tokens.push_back({.kind = TokenKind::end, .offset = text_.size(), .text = "<EOF>"});
    return tokens;
  }

 private:
  [[nodiscard]] char peek(std::size_t ahead = 0) const noexcept {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  [[nodiscard]] bool starts_with(std::string_view what) const noexcept { return text_.substr(at_).starts_with(what); }

  template <class Test>
  std::size_t skip_while(Test test) noexcept {
    const auto start = at_;
    while (at_ < text_.size() && test(text_[at_])) ++at_;
    return at_ - start;
  }

  void skip_space() noexcept {
    while (skip_while(is_space) > 0 || starts_with("//")) {
      if (starts_with("//")) at_ = std::min(text_.find('\n', at_), text_.size());
    }
  }

  // The character that could not continue the token belongs to the report and is skipped.
  void report(std::size_t start) {
    if (at_ < text_.size()) at_ += std::max<std::size_t>(1, utf8_length(text_.substr(at_)));
    issues_.add(start, fmt::format("Syntax error: token recognition error at: '{}'", text_.substr(start, at_ - start)));
  }

  // Moves behind the token and returns its kind, or `end` if there is none; at_ is then the place of the failure.
  TokenKind scan_token() {
    const auto c = peek();
    if (is_digit(c) || (c == '.' && is_digit(peek(1)))) return scan_number();
    if (is_string_start()) return scan_string();
    if (is_letter(c)) return scan_word();
    if (c == '`') return scan_escaped();
    return scan_symbol();
  }

  TokenKind scan_word() {
    const auto start = at_;
    skip_while([](char c) { return is_letter(c) || is_digit(c); });
    const auto word = text_.substr(start, at_ - start);
    const bool is_symbol = word == "in" || word == "true" || word == "false" || word == "null";
    return is_symbol ? TokenKind::symbol : TokenKind::identifier;
  }

  TokenKind scan_escaped() {
    ++at_;
    const auto length =
        skip_while([](char c) { return is_letter(c) || is_digit(c) || c == '.' || c == '-' || c == '/' || c == ' '; });
    if (length == 0 || peek() != '`') return TokenKind::end;
    ++at_;
    return TokenKind::escaped_identifier;
  }

  TokenKind scan_symbol() {
    constexpr std::array<std::string_view, 6> pairs = {"==", "!=", "<=", ">=", "&&", "||"};
    if (std::ranges::any_of(pairs, [this](auto pair) { return starts_with(pair); })) {
      at_ += 2;
      return TokenKind::symbol;
    }
    if (std::string_view("<>[]{}().,-!?:+*/%").find(peek()) != npos) {
      ++at_;
      return TokenKind::symbol;
    }
    if (std::string_view("=&|").find(peek()) != npos) ++at_;  // the first half of a pair
    return TokenKind::end;
  }

  TokenKind scan_number() {
    if (peek() == '0' && peek(1) == 'x' && is_hex(peek(2))) {
      at_ += 2;
      skip_while(is_hex);
      return scan_suffix();
    }
    skip_while(is_digit);
    bool is_fraction = false;
    if (peek() == '.' && is_digit(peek(1))) {
      ++at_;
      skip_while(is_digit);
      is_fraction = true;
    }
    if (skip_exponent() || is_fraction) return TokenKind::number;
    return scan_suffix();
  }

  bool skip_exponent() noexcept {
    if (peek() != 'e' && peek() != 'E') return false;
    const std::size_t sign = peek(1) == '+' || peek(1) == '-' ? 1 : 0;
    if (!is_digit(peek(1 + sign))) return false;
    at_ += 1 + sign;
    skip_while(is_digit);
    return true;
  }

  TokenKind scan_suffix() noexcept {
    if (peek() != 'u' && peek() != 'U') return TokenKind::integer;
    ++at_;
    return TokenKind::unsigned_integer;
  }

  [[nodiscard]] std::size_t prefix_length() const noexcept {
    std::size_t length = peek() == 'b' || peek() == 'B' ? 1 : 0;
    if (peek(length) == 'r' || peek(length) == 'R') ++length;
    return length;
  }
  [[nodiscard]] bool is_string_start() const noexcept { return is_quote(peek(prefix_length())); }

  TokenKind scan_string() {
    const auto prefix = text_.substr(at_, prefix_length());
    const bool is_bytes = prefix.find_first_of("bB") != npos;
    const bool is_raw = prefix.find_first_of("rR") != npos;
    at_ += prefix.size();
    const char quote = peek();
    const bool is_long = peek(1) == quote && peek(2) == quote;
    const auto close = text_.substr(at_, is_long ? 3 : 1);
    at_ += close.size();
    while (!starts_with(close)) {
      if (at_ >= text_.size() || (!is_long && (peek() == '\n' || peek() == '\r'))) return TokenKind::end;
      if (is_raw || peek() != '\\') {
        ++at_;
      } else if (!skip_escape()) {
        return TokenKind::end;
      }
    }
    at_ += close.size();
    return is_bytes ? TokenKind::bytes : TokenKind::string;
  }

  bool skip_escape() noexcept {
    ++at_;
    const char c = peek();
    if (c == '\0' && at_ >= text_.size()) return false;
    if (std::string_view("abfnrtv\"'\\?`").find(c) != npos) return ++at_, true;
    if (c == 'x' || c == 'X') return ++at_, skip_hex(2);
    if (c == 'u') return ++at_, skip_hex(4);
    if (c == 'U') return ++at_, skip_hex(8);
    if (c < '0' || c > '3') return false;
    ++at_;
    for (int i = 0; i < 2; ++i, ++at_) {
      if (peek() < '0' || peek() > '7') return false;
    }
    return true;
  }

  bool skip_hex(int digits) noexcept {
    for (int i = 0; i < digits; ++i, ++at_) {
      if (!is_hex(peek())) return false;
    }
    return true;
  }

  std::string_view text_;
  Issues& issues_;
  std::size_t at_ = 0;
};

}  // namespace

std::vector<Token> scan(std::string_view text, Issues& issues) { return Lexer(text, issues).scan_all(); }

}  // namespace pintle::cel
