#include "printer.hpp"

#include <cstring>

#include <pintle/json/value.hpp>

#include "walk.hpp"

namespace pintle::json {
namespace {

constexpr std::uint64_t each_byte(unsigned char byte) { return 0x0101010101010101U * byte; }

// Whether one of eight bytes is below `limit`, at most 0x80.
constexpr bool has_below(std::uint64_t bytes, unsigned char limit) {
  return ((bytes - each_byte(limit)) & ~bytes & each_byte(0x80)) != 0;
}

constexpr bool is_plain(char c) { return static_cast<unsigned char>(c) >= 0x20 && c != '"' && c != '\\'; }
constexpr bool are_plain(std::uint64_t bytes) {
  return !has_below(bytes, 0x20) && !has_below(bytes ^ each_byte('"'), 1) && !has_below(bytes ^ each_byte('\\'), 1);
}

// How much of a text stands between quotes as it is.
std::size_t plain_length(std::string_view text) {
  std::size_t at = 0;
  for (std::uint64_t bytes = 0; at + sizeof(bytes) <= text.size(); at += sizeof(bytes)) {
    std::memcpy(&bytes, text.data() + at, sizeof(bytes));
    if (!are_plain(bytes)) break;
  }
  while (at < text.size() && is_plain(text[at])) ++at;
  return at;
}

}  // namespace

void Printer::open(char bracket) {
  begin_value() += bracket;
  indent_ += step_;
  is_first_ = true;
}

void Printer::close(char bracket) {
  indent_ -= step_;
  if (!is_first_ && step_ != 0) break_line();
  out_ += bracket;
  is_first_ = false;
}

void Printer::break_line() {
  out_ += '\n';
  out_.append(indent_, ' ');
}

void Printer::quote(std::string_view text) {
  out_ += '"';
  while (true) {
    const std::size_t plain = plain_length(text);
    out_.append(text.substr(0, plain));
    if (plain == text.size()) break;
    escape(text[plain]);
    text.remove_prefix(plain + 1);
  }
  out_ += '"';
}

void Printer::escape(char c) {
  static constexpr std::string_view hex = "0123456789abcdef";
  switch (c) {
    case '"': out_ += "\\\""; break;
    case '\\': out_ += "\\\\"; break;
    case '\n': out_ += "\\n"; break;
    case '\r': out_ += "\\r"; break;
    case '\t': out_ += "\\t"; break;
    case '\b': out_ += "\\b"; break;
    case '\f': out_ += "\\f"; break;
    default:
      const auto byte = static_cast<unsigned char>(c);
      out_ += "\\u00";
      out_ += hex[byte >> 4U];
      out_ += hex[byte & 15U];
  }
}

void print_to(std::string& out, std::string_view text) { Printer(out, 0).string(text); }

std::string print(const Value& value) {
  std::string out;
  Printer printer(out, 0);
  walk(value, printer);
  return out;
}

std::string print_pretty(const Value& value) {
  std::string out;
  Printer printer(out, pretty_step);
  walk(value, printer);
  return out;
}

}  // namespace pintle::json
