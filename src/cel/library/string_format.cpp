// SPDX-License-Identifier: Apache-2.0
#include "string_format.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <pintle/base/result.hpp>
#include <pintle/cel/value.hpp>

#include "cel/value/text.hpp"
#include "cel/value/time_text.hpp"
#include "declare.hpp"

namespace pintle::cel {
namespace {

constexpr int default_precision = 6;
constexpr int most_precise = 1'000;

Result<std::string> format_element(const Value& value);

std::string quote_text(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    switch (c) {
      case '"': out += "\\\""; break;
      case '\\': out += "\\\\"; break;
      case '\a': out += "\\a"; break;
      case '\b': out += "\\b"; break;
      case '\f': out += "\\f"; break;
      case '\n': out += "\\n"; break;
      case '\r': out += "\\r"; break;
      case '\t': out += "\\t"; break;
      case '\v': out += "\\v"; break;
      default:
        if (static_cast<unsigned char>(c) < 0x20U || c == '\x7f') {
          out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
        } else {
          out += c;
        }
    }
  }
  return out + '"';
}

Result<std::string> format_list(const List& list) {
  std::string out = "[";
  for (std::size_t i = 0; i < list.size(); ++i) {
    auto element = format_element(list.at(i));
    if (!element) return element;
    out += (i == 0 ? "" : ", ") + *element;
    if (out.size() > longest_text) return failure("the result of format() is too long");
  }
  return out + "]";
}

// The entries are sorted by the text of their keys.
Result<std::string> format_map(const Map& map) {
  std::vector<std::pair<std::string, std::string>> entries;
  std::size_t size = 0;
  for (std::size_t i = 0; i < map.size(); ++i) {
    const auto key = map.key_at(i);
    auto found = map.find(key);
    if (!found) return fail(std::move(found.error()));
    auto name = format_element(key);
    if (!name) return name;
    auto value = format_element(found->value_or(Value()));
    if (!value) return value;
    size += name->size() + value->size();
    if (size > longest_text) return failure("the result of format() is too long");
    entries.emplace_back(*std::move(name), *std::move(value));
  }
  std::ranges::stable_sort(entries, {}, &std::pair<std::string, std::string>::first);
  std::string out = "{";
  for (const auto& entry : entries) {
    if (out.size() > 1) out += ", ";
    out += entry.first + ":" + entry.second;
  }
  return out + "}";
}

std::string special_number(double number, std::string_view infinity) {
  if (std::isnan(number)) return "NaN";
  return (number < 0 ? "-" : "") + std::string(infinity);
}

// An element of a list or a map is printed as a literal of CEL.
Result<std::string> format_element(const Value& value) {
  if (const auto text = value.as_string()) return quote_text(*text);
  if (const auto data = value.as_bytes()) return "b" + quote_text(*data);
  if (const auto time = value.as_timestamp()) return "timestamp(" + quote_text(format_timestamp(*time)) + ")";
  if (const auto duration = value.as_duration()) return "duration(" + quote_text(format_duration_text(*duration)) + ")";
  if (const auto number = value.as_number()) {
    if (!std::isfinite(*number))
      return quote_text(std::isinf(*number) && *number > 0 ? "+Inf" : special_number(*number, "Inf"));
    return fmt::format("{:.{}f}", *number, default_precision);
  }
  if (const auto* list = value.as_list()) return format_list(*list);
  if (const auto* map = value.as_map()) return format_map(*map);
  if (const auto number = value.as_integer()) return fmt::format("{}", *number);
  if (const auto number = value.as_unsigned()) return fmt::format("{}", *number);
  if (const auto flag = value.as_bool()) return std::string(*flag ? "true" : "false");
  if (const auto* type = value.as_type()) return fmt::format("type({})", type->name());
  if (value.is_null()) return std::string("null");
  return failure("no formatting function for " + std::string(value.type_of().name()));
}

std::optional<Result<std::string>> format_string(const Value& value) {
  if (const auto text = value.as_string()) return std::string(*text);
  if (const auto data = value.as_bytes()) return std::string(*data);
  if (const auto number = value.as_number()) return format_number(*number);
  if (const auto time = value.as_timestamp()) return format_timestamp(*time);
  if (const auto duration = value.as_duration()) return format_duration_text(*duration);
  if (const auto* type = value.as_type()) return std::string(type->name());
  if (value.is_optional() || value.kind() == Type::Kind::opaque) return std::nullopt;
  return format_element(value);
}

std::optional<double> number_argument(const Value& value) {
  if (const auto number = value.as_number()) return number;
  if (value.as_string() == "NaN") return std::nan("");
  if (value.as_string() == "Infinity") return HUGE_VAL;
  if (value.as_string() == "-Infinity") return -HUGE_VAL;
  return std::nullopt;
}

// Digits in groups of three, as in en_US.
std::string format_fixed(double number, int precision) {
  if (!std::isfinite(number)) return special_number(number, "\u221e");
  auto text = fmt::format("{:.{}f}", number, precision);
  const std::size_t first = text.starts_with('-') ? 1 : 0;
  for (auto place = std::min(text.find('.'), text.size()); place > first + 3;) {
    place -= 3;
    text.insert(place, ",");
  }
  return text;
}

std::string format_scientific(double number, int precision) {
  if (!std::isfinite(number)) return special_number(number, "\u221e");
  constexpr const char* digits[] = {"\u2070", "\u00b9", "\u00b2", "\u00b3", "\u2074",
                                    "\u2075", "\u2076", "\u2077", "\u2078", "\u2079"};
  const auto text = fmt::format("{:.{}e}", number, precision);
  const auto exponent = text.find('e');
  std::string out = text.substr(0, exponent) + "\u00d710";
  for (const char c : std::string_view(text).substr(exponent + 1)) {
    if (c == '-') out += "\u207b";
    if (c >= '0' && c <= '9') out += digits[c - '0'];
  }
  return out;
}

std::optional<std::string> format_integer(const Value& value, char kind) {
  const auto print = [kind](auto number) {
    switch (kind) {
      case 'b': return fmt::format("{:b}", number);
      case 'o': return fmt::format("{:o}", number);
      case 'x': return fmt::format("{:x}", number);
      case 'X': return fmt::format("{:X}", number);
      default: return fmt::format("{}", number);
    }
  };
  if (const auto number = value.as_integer()) return print(*number);
  if (const auto number = value.as_unsigned()) return print(*number);
  return std::nullopt;
}

std::string format_bytes(std::string_view data, bool is_upper) {
  std::string out;
  for (const char c : data) {
    const auto byte = static_cast<unsigned char>(c);
    out += is_upper ? fmt::format("{:02X}", byte) : fmt::format("{:02x}", byte);
  }
  return out;
}

std::optional<std::string> format_hexadecimal(const Value& value, char kind) {
  if (const auto text = value.as_string()) return format_bytes(*text, kind == 'X');
  if (const auto data = value.as_bytes()) return format_bytes(*data, kind == 'X');
  return format_integer(value, kind);
}

Result<std::string> format_clause(const FormatClause& clause, const Value& value) {
  const int precision = clause.precision.value_or(default_precision);
  std::optional<std::string> text;
  switch (clause.kind) {
    case 's':
      if (auto any = format_string(value)) return *std::move(any);
      break;
    case 'f':
      if (const auto number = number_argument(value)) text = format_fixed(*number, precision);
      break;
    case 'e':
      if (const auto number = number_argument(value)) text = format_scientific(*number, precision);
      break;
    case 'x':
    case 'X': text = format_hexadecimal(value, clause.kind); break;
    case 'b':
      if (const auto flag = value.as_bool()) return std::string(*flag ? "1" : "0");
      [[fallthrough]];
    default: text = format_integer(value, clause.kind);
  }
  if (text) return *std::move(text);
  return failure("error during formatting: " + format_mismatch(clause.kind, value.type_of().name()));
}

tl::unexpected<Error> malformed(const std::string& why) { return failure("could not parse formatting clause: " + why); }

// Reads a clause behind its "%", and removes it from `rest`.
Result<FormatClause> take_clause(std::string_view& rest) {
  FormatClause clause;
  if (rest.starts_with('.')) {
    rest.remove_prefix(1);
    int precision = 0;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), precision);
    if (end == rest.data() + rest.size()) {
      return malformed("error while parsing precision: could not find end of precision specifier");
    }
    if (error != std::errc() || precision < 0 || precision > most_precise) {
      return malformed("error while parsing precision: error while converting precision to integer");
    }
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    clause.precision = precision;
  }
  clause.kind = rest.front();
  if (std::string_view("sdfebxXo").find(clause.kind) == std::string_view::npos) {
    return malformed(fmt::format("unrecognized formatting clause \"{}\"", clause.kind));
  }
  rest.remove_prefix(1);
  return clause;
}

}  // namespace

Result<void> visit_format(std::string_view format, std::size_t arguments, const FormatVisitor& visitor) {
  std::size_t next = 0;
  while (!format.empty()) {
    const auto percent = std::min(format.find('%'), format.size());
    if (percent > 0) visitor.text(format.substr(0, percent));
    format.remove_prefix(percent);
    if (format.empty()) break;
    if (format.starts_with("%%")) {
      visitor.text("%");
      format.remove_prefix(2);
      continue;
    }
    const bool ends = format.size() == 1;
    if (next >= arguments && !(ends && visitor.is_check)) return failure(fmt::format("index {} out of range", next));
    format.remove_prefix(1);
    if (ends) return failure("unexpected end of string");
    auto clause = take_clause(format);
    if (!clause) return fail(std::move(clause.error()));
    clause->argument = next++;
    if (auto visited = visitor.clause(*clause); !visited) return visited;
  }
  return {};
}

std::string format_mismatch(char clause, std::string_view type_name) {
  const char* expected =
      "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, "
      "durations, and timestamps";
  switch (clause) {
    case 'd': expected = "decimal clause can only be used on integers"; break;
    case 'f': expected = "fixed-point clause can only be used on doubles"; break;
    case 'e': expected = "scientific clause can only be used on doubles"; break;
    case 'b': expected = "only integers and bools can be formatted as binary"; break;
    case 'x':
    case 'X': expected = "only integers, byte buffers, and strings can be formatted as hex"; break;
    case 'o': expected = "octal clause can only be used on integers"; break;
    default: break;
  }
  return fmt::format("{}, was given {}", expected, type_name);
}

Result<std::string> format_text(std::string_view format, const List& arguments) {
  std::string out;
  const FormatVisitor visitor{.text = [&](std::string_view text) { out += text; },
                              .clause = [&](const FormatClause& clause) -> Result<void> {
                                auto text = format_clause(clause, arguments.at(clause.argument));
                                if (!text) return fail(std::move(text.error()));
                                out += *text;
                                if (out.size() > longest_text) return failure("the result of format() is too long");
                                return {};
                              }};
  if (auto visited = visit_format(format, arguments.size(), visitor); !visited) return fail(std::move(visited.error()));
  return out;
}

}  // namespace pintle::cel
