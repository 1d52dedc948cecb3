#include "printer.hpp"

#include <pintle/json/value.hpp>

#include "walk.hpp"

namespace pintle::json {

std::string& Printer::begin_value() {
  if (after_key_) {
    after_key_ = false;
    return out_;
  }
  if (!is_first_) out_ += ',';
  is_first_ = false;
  if (indent_ != 0) break_line();
  return out_;
}

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
  static constexpr std::string_view hex = "0123456789abcdef";
  out_ += '"';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    switch (c) {
      case '"': out_ += "\\\""; break;
      case '\\': out_ += "\\\\"; break;
      case '\n': out_ += "\\n"; break;
      case '\r': out_ += "\\r"; break;
      case '\t': out_ += "\\t"; break;
      case '\b': out_ += "\\b"; break;
      case '\f': out_ += "\\f"; break;
      default:
        if (byte < 0x20) {
          out_ += "\\u00";
          out_ += hex[byte >> 4U];
          out_ += hex[byte & 15U];
        } else {
          out_ += c;
        }
    }
  }
  out_ += '"';
}

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
