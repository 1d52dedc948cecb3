// SPDX-License-Identifier: Apache-2.0
#include "log_line.hpp"

#include <cmath>
#include <iterator>
#include <string_view>

#include <fmt/compile.h>
#include <fmt/format.h>

#include <pintle/base/terminal.hpp>
#include <pintle/base/utf8.hpp>

namespace pintle {
namespace {

constexpr std::size_t usual_line = 512;

template <class Number>
void append_number(std::string& out, Number number) {
  fmt::format_to(std::back_inserter(out), FMT_COMPILE("{}"), number);
}

void append_text(std::string& out, std::string_view text, ControlEscape escape) {
  const std::string_view kept = truncate_utf8(text, max_log_text_size);
  append_for_terminal(out, kept, escape);
  if (kept.size() == text.size()) return;
  out += "\u2026 (";
  append_number(out, text.size() - kept.size());
  out += " bytes omitted)";
}

void append_json_string(std::string& out, std::string_view text) {
  out += '"';
  append_text(out, text, ControlEscape::json);
  out += '"';
}

// A name or value of the text format has quotes if it would be ambiguous without them.
void append_word(std::string& out, std::string_view text) {
  const bool is_plain = !text.empty() && text.size() <= max_log_text_size &&
                        text.find_first_of(" \"=\\") == std::string_view::npos && is_terminal_safe(text);
  is_plain ? void(out += text) : append_json_string(out, text);
}

// JSON cannot represent these numbers; the strings are those of the JSON mapping of Protocol Buffers.
std::string_view not_a_json_number(double real) {
  return std::isnan(real) ? "NaN" : real > 0 ? "Infinity" : "-Infinity";
}

template <class AppendText>
void append_value(std::string& out, const LogValue& value, AppendText append) {
  if (const std::string* text = value.as_string()) {
    append(out, *text);
  } else if (const std::int64_t* number = value.as_integer()) {
    append_number(out, *number);
  } else if (const double* real = value.as_double()) {
    std::isfinite(*real) ? append_number(out, *real) : append(out, not_a_json_number(*real));
  } else {
    out += *value.as_bool() ? "true" : "false";
  }
}

template <class Each>
void each_field(const LogRecord& record, Each each) {
  if (record.context != nullptr) {
    for (const LogField& field : *record.context) each(field);
  }
  for (const LogField& field : record.fields) each(field);
}

// Returns whether a later field of the record has the same name.
bool is_replaced(const LogRecord& record, const LogField& field) {
  bool is_later = false;
  bool found = false;
  each_field(record, [&](const LogField& other) {
    found = found || (is_later && other.name == field.name);
    is_later = is_later || &other == &field;
  });
  return found;
}

}  // namespace

std::string text_log_line(const LogRecord& record) {
  constexpr std::size_t level_width = 8;
  std::string line;
  line.reserve(usual_line);
  line += format_micro_time(record.time);
  line += ' ';
  const std::string_view level = to_string(record.level);
  line += level;
  line.append(level_width - level.size(), ' ');
  append_text(line, record.message, ControlEscape::backslash_x);
  each_field(record, [&](const LogField& field) {
    line += ' ';
    append_word(line, field.name);
    line += '=';
    append_value(line, field.value, append_word);
  });
  line += '\n';
  return line;
}

std::string json_log_line(const LogRecord& record) {
  std::string line;
  line.reserve(usual_line);
  line += R"({"time":")";
  line += format_micro_time(record.time);
  line += R"(","level":")";
  line += to_string(record.level);
  line += R"(","message":)";
  append_json_string(line, record.message);
  each_field(record, [&](const LogField& field) {
    if (is_replaced(record, field)) return;
    const bool is_reserved = field.name == "time" || field.name == "level" || field.name == "message";
    line += ',';
    append_json_string(line, is_reserved ? "field." + field.name : field.name);
    line += ':';
    append_value(line, field.value, append_json_string);
  });
  line += "}\n";
  return line;
}

}  // namespace pintle
