// Printer: a document as text, as it is told of it (see walk.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "number.hpp"

namespace pintle::json {

inline constexpr std::size_t pretty_step = 2;

// Prints compactly, or with line breaks when `step` is not 0. The same document always gives the same text.
class Printer {
 public:
  Printer(std::string& out, std::size_t step) : out_(out), step_(step) {}

  void null() { begin_value() += "null"; }
  void boolean(bool flag) { begin_value() += flag ? "true" : "false"; }
  void integer(std::int64_t number) { print(begin_value(), number); }
  void unsigned_integer(std::uint64_t number) { print(begin_value(), number); }
  void real(double number) { print(begin_value(), number); }
  void written_number(std::string_view text) { begin_value() += text; }
  void string(std::string_view text) {
    begin_value();
    quote(text);
  }
  void key(std::string_view text) {
    begin_value();
    quote(text);
    out_ += ':';
    if (step_ != 0) out_ += ' ';
    after_key_ = true;
  }
  void begin_object() { open('{'); }
  void end_object(std::size_t) { close('}'); }
  void begin_array() { open('['); }
  void end_array(std::size_t) { close(']'); }

 private:
  std::string& begin_value() {
    if (after_key_) {
      after_key_ = false;
      return out_;
    }
    if (!is_first_) out_ += ',';
    is_first_ = false;
    if (indent_ != 0) break_line();
    return out_;
  }
  void open(char bracket);
  void close(char bracket);
  void break_line();
  void quote(std::string_view text);
  void escape(char c);

  std::string& out_;
  const std::size_t step_;
  std::size_t indent_ = 0;
  bool after_key_ = false;
  bool is_first_ = true;  // of those in the innermost container
};

}  // namespace pintle::json
