// SPDX-License-Identifier: Apache-2.0
// Printers: sinks (see walk.hpp) that print a document as text. The same document always gives the same text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "number.hpp"
#include "text_out.hpp"

namespace pintle::json {

// Prints without spaces. A comma follows each value; the end of a container and finish() remove the last comma.
class Printer {
 public:
  explicit Printer(std::string& out) noexcept : out_(out) {}
  // Must be called at the end. The string is incomplete until then.
  void finish() {
    out_.take_back(',');
    out_.finish();
  }

  void null() { out_.put("null,"); }
  void boolean(bool flag) { out_.put(flag ? std::string_view("true,") : std::string_view("false,")); }
  void integer(std::int64_t number) { out_.put_number(number), out_.put(','); }
  void unsigned_integer(std::uint64_t number) { out_.put_number(number), out_.put(','); }
  void real(double number) { print(out_.finish(), number), out_.put(','); }
  void written_number(std::string_view text) { out_.finish() += text, out_.put(','); }
  void string(std::string_view text) { out_.put_quoted(text, ','); }
  void key(std::string_view text) { out_.put_quoted(text, ':'); }
  void begin_object() { out_.put('{'); }
  void end_object(std::size_t) { close("},"); }
  void begin_array() { out_.put('['); }
  void end_array(std::size_t) { close("],"); }

 private:
  void close(std::string_view bracket) {
    out_.take_back(',');
    out_.put(bracket);
  }

  TextOut out_;
};

// Prints each value on its own line.
class PrettyPrinter {
 public:
  explicit PrettyPrinter(std::string& out) noexcept : out_(out) {}

  void null() { begin_value() += "null"; }
  void boolean(bool flag) { begin_value() += flag ? "true" : "false"; }
  void integer(std::int64_t number) { print(begin_value(), number); }
  void unsigned_integer(std::uint64_t number) { print(begin_value(), number); }
  void real(double number) { print(begin_value(), number); }
  void written_number(std::string_view text) { begin_value() += text; }
  void string(std::string_view text);
  void key(std::string_view text);
  void begin_object() { open('{'); }
  void end_object(std::size_t) { close('}'); }
  void begin_array() { open('['); }
  void end_array(std::size_t) { close(']'); }

 private:
  std::string& begin_value();
  void open(char bracket);
  void close(char bracket);
  void break_line();

  std::string& out_;
  std::size_t indent_ = 0;
  bool after_key_ = false;
  bool is_first_ = true;  // the next value is the first in its container
};

}  // namespace pintle::json
