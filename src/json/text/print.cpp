// SPDX-License-Identifier: Apache-2.0
#include "printer.hpp"

#include <pintle/json/value.hpp>

#include "json/document/walk.hpp"

namespace pintle::json {
namespace {

constexpr std::size_t indent_step = 2;

}  // namespace

void PrettyPrinter::string(std::string_view text) { print_to(begin_value(), text); }

void PrettyPrinter::key(std::string_view text) {
  string(text);
  out_ += ": ";
  after_key_ = true;
}

std::string& PrettyPrinter::begin_value() {
  if (after_key_) {
    after_key_ = false;
    return out_;
  }
  if (!is_first_) out_ += ',';
  is_first_ = false;
  if (indent_ != 0) break_line();
  return out_;
}

void PrettyPrinter::open(char bracket) {
  begin_value() += bracket;
  indent_ += indent_step;
  is_first_ = true;
}

void PrettyPrinter::close(char bracket) {
  indent_ -= indent_step;
  if (!is_first_) break_line();
  out_ += bracket;
  is_first_ = false;
}

void PrettyPrinter::break_line() {
  out_ += '\n';
  out_.append(indent_, ' ');
}

void print_to(std::string& out, std::string_view text) {
  Printer printer(out);
  printer.string(text);
  printer.finish();
}

std::string print(const Value& value) {
  std::string out;
  Printer printer(out);
  walk(value, printer);
  printer.finish();
  return out;
}

std::string print_pretty(const Value& value) {
  std::string out;
  PrettyPrinter printer(out);
  walk(value, printer);
  return out;
}

}  // namespace pintle::json
