// SPDX-License-Identifier: Apache-2.0
#include "literal.hpp"

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <pintle/base/error.hpp>
#include <pintle/base/result.hpp>

#include "cel/value/text.hpp"

namespace pintle::cel {
namespace {

std::optional<std::uint64_t> parse_digits(std::string_view digits, int base) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number, base);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return number;
}

std::optional<std::uint64_t> parse_magnitude(std::string_view token) {
  if (token.starts_with("0x")) return parse_digits(token.substr(2), 16);
  return parse_digits(token, 10);
}

char simple_escape(char c) noexcept {
  switch (c) {
    case 'a': return '\a';
    case 'b': return '\b';
    case 'f': return '\f';
    case 'n': return '\n';
    case 'r': return '\r';
    case 't': return '\t';
    case 'v': return '\v';
    default: return c;  // a quote, a backslash, ? or `
  }
}

// The text between the quotes. Line ends become \n, escaped or not in a raw text.
class Unescaper {
 public:
  Unescaper(std::string_view text, bool is_raw, bool is_bytes) noexcept
      : text_(text), is_raw_(is_raw), is_bytes_(is_bytes) {}

  Result<std::string> run() {
    while (at_ < text_.size()) {
      const char c = text_[at_++];
      if (c == '\r') {
        if (at_ < text_.size() && text_[at_] == '\n') ++at_;
        out_ += '\n';
      } else if (c != '\\' || is_raw_) {
        out_ += c;
      } else if (auto done = escape(); !done) {
        return fail(std::move(done.error()));
      }
    }
    return std::move(out_);
  }

 private:
  Result<void> escape() {
    const char c = text_[at_++];
    switch (c) {
      case 'x':
      case 'X': return code(text_.substr(at_, 2), 16);
      case 'u': return unicode(4);
      case 'U': return unicode(8);
      case '0':
      case '1':
      case '2':
      case '3': --at_; return code(text_.substr(at_, 3), 8);
      default: out_ += simple_escape(c); return {};
    }
  }

  Result<void> unicode(std::size_t digits) {
    if (is_bytes_) return fail(ErrorCode::invalid, "unable to unescape string");
    return code(text_.substr(at_, digits), 16);
  }

  Result<void> code(std::string_view digits, int base) {
    at_ += digits.size();
    const auto number = parse_digits(digits, base);
    if (!number) return fail(ErrorCode::invalid, "unable to unescape string");
    if (is_bytes_) {
      out_ += static_cast<char>(static_cast<unsigned char>(*number));
    } else if (!append_code_point(out_, static_cast<std::uint32_t>(*number))) {
      return fail(ErrorCode::invalid, "invalid unicode code point");
    }
    return {};
  }

  std::string_view text_;
  bool is_raw_;
  bool is_bytes_;
  std::size_t at_ = 0;
  std::string out_{};
};

}  // namespace

Result<Value> read_string(std::string_view token, bool is_bytes) {
  const auto quote_at = token.find_first_of("\"'");
  const bool is_raw = token.substr(0, quote_at).find_first_of("rR") != std::string_view::npos;
  token.remove_prefix(quote_at);
  const std::size_t quotes = token.size() >= 6 && token[1] == token[0] && token[2] == token[0] ? 3 : 1;
  auto text = Unescaper(token.substr(quotes, token.size() - 2 * quotes), is_raw, is_bytes).run();
  if (!text) return fail(std::move(text.error()));
  return is_bytes ? Value::bytes(*std::move(text)) : Value::string(*std::move(text));
}

std::optional<std::int64_t> read_integer(std::string_view token, bool negative) {
  const auto magnitude = parse_magnitude(token);
  constexpr auto max = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (!magnitude || *magnitude > max + (negative ? 1 : 0)) return std::nullopt;
  return static_cast<std::int64_t>(negative ? 0 - *magnitude : *magnitude);
}

std::optional<std::uint64_t> read_unsigned(std::string_view token) {
  token.remove_suffix(1);
  return parse_magnitude(token);
}

std::optional<double> read_number(std::string_view token, bool negative) {
  double number = 0;
  const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), number);
  if (error == std::errc::result_out_of_range) return std::nullopt;
  if (error != std::errc() || end != token.data() + token.size()) return std::nullopt;
  return negative ? -number : number;
}

}  // namespace pintle::cel
