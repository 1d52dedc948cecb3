// SPDX-License-Identifier: Apache-2.0
// The string extension of CEL, version 2. Positions are counted in code points.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <pintle/base/result.hpp>
#include <pintle/base/utf8.hpp>
#include <pintle/cel/function.hpp>
#include <pintle/cel/value.hpp>

#include "cel/value/text.hpp"
#include "cost.hpp"
#include "declare.hpp"
#include "libraries.hpp"
#include "string_format.hpp"

namespace pintle::cel {
namespace {

constexpr auto no_place = std::string_view::npos;

std::size_t first_length(std::string_view text) { return std::max<std::size_t>(1, utf8_length(text)); }

// The place in bytes of a code point; no_place behind the end.
std::size_t place_of(std::string_view text, std::int64_t index) {
  std::size_t place = 0;
  for (; index > 0; --index) {
    if (place >= text.size()) return no_place;
    place += first_length(text.substr(place));
  }
  return place;
}

tl::unexpected<Error> out_of_range(std::int64_t index) { return failure(fmt::format("index out of range: {}", index)); }

Result<std::size_t> checked_place(std::string_view text, std::int64_t index) {
  if (index < 0) return out_of_range(index);
  const auto place = place_of(text, index);
  if (place == no_place) return out_of_range(index);
  return place;
}

Value position(std::string_view text, std::size_t place) {
  return Value::integer(place == no_place ? -1 : static_cast<std::int64_t>(count_code_points(text.substr(0, place))));
}

Value text_value(std::string_view text) { return Value::string(std::string(text)); }

Result<Value> char_at(Arguments arguments) {
  const auto text = *arguments[0].as_string();
  const auto place = checked_place(text, *arguments[1].as_integer());
  if (!place) return fail(place.error());
  if (*place == text.size()) return Value::string("");
  return text_value(text.substr(*place, first_length(text.substr(*place))));
}

Result<Value> index_of_text(Arguments arguments) {
  const auto text = *arguments[0].as_string();
  const auto part = *arguments[1].as_string();
  const auto offset = arguments.size() == 3 ? *arguments[2].as_integer() : 0;
  if (part.empty()) return Value::integer(offset);
  if (offset < 0) return out_of_range(offset);
  const auto start = place_of(text, offset);
  return position(text, start == no_place ? no_place : find_part(text, part, start));
}

Result<Value> last_index_of_text(Arguments arguments) {
  const auto text = *arguments[0].as_string();
  const auto part = *arguments[1].as_string();
  if (arguments.size() == 2) return position(text, find_last_part(text, part));
  const auto offset = *arguments[2].as_integer();
  if (part.empty()) return Value::integer(offset);
  if (offset < 0) return out_of_range(offset);
  const auto start = place_of(text, offset);
  return position(text, start == no_place || start >= text.size() ? no_place : find_last_part(text, part, start));
}

Result<Value> map_ascii(std::string_view text, char first, char last, int shift) {
  std::string out(text);
  for (char& c : out) {
    if (c >= first && c <= last) c = static_cast<char>(c + shift);
  }
  return Value::string(std::move(out));
}
Result<Value> lower_ascii(Arguments arguments) { return map_ascii(*arguments[0].as_string(), 'A', 'Z', 'a' - 'A'); }
Result<Value> upper_ascii(Arguments arguments) { return map_ascii(*arguments[0].as_string(), 'a', 'z', 'A' - 'a'); }

// The next place from `start` at which a part ends and a separator begins. An empty separator is behind each character.
std::size_t next_separator(std::string_view text, std::string_view separator, std::size_t start) {
  if (!separator.empty()) return find_part(text, separator, start);
  if (start >= text.size()) return no_place;
  const auto end = start + first_length(text.substr(start));
  return end < text.size() ? end : no_place;
}

// A negative limit is none.
Result<Value> split_text(std::string_view text, std::string_view separator, std::int64_t limit) {
  std::vector<Value> parts;
  if (limit == 0 || (text.empty() && separator.empty())) return Value::list(std::move(parts));
  std::size_t start = 0;
  while (limit < 0 || std::cmp_less(parts.size() + 1, limit)) {
    const auto end = next_separator(text, separator, start);
    if (end == no_place) break;
    if (parts.size() >= longest_list) return failure("the result of split() is too long");
    parts.push_back(text_value(text.substr(start, end - start)));
    start = end + separator.size();
  }
  parts.push_back(text_value(text.substr(start)));
  return Value::list(std::move(parts));
}

Result<Value> split_by(Arguments arguments) {
  return split_text(*arguments[0].as_string(), *arguments[1].as_string(),
                    arguments.size() == 3 ? *arguments[2].as_integer() : -1);
}

// An empty `old` is before each character and at the end.
Result<Value> replace_text(std::string_view text, std::string_view old, std::string_view by, std::int64_t limit) {
  std::string out;
  std::size_t done = 0;
  std::size_t from = 0;
  for (; limit != 0; --limit) {
    const auto place = from > text.size() ? no_place : old.empty() ? from : find_part(text, old, from);
    if (place == no_place) break;
    out.append(text.substr(done, place - done)).append(by);
    if (out.size() > longest_text) return failure("the result of replace() is too long");
    done = place + old.size();
    from = !old.empty() ? done : place < text.size() ? place + first_length(text.substr(place)) : no_place;
  }
  out.append(text.substr(done));
  return Value::string(std::move(out));
}

Result<Value> replace_parts(Arguments arguments) {
  return replace_text(*arguments[0].as_string(), *arguments[1].as_string(), *arguments[2].as_string(),
                      arguments.size() == 4 ? *arguments[3].as_integer() : -1);
}

Result<Value> substring(Arguments arguments) {
  const auto text = *arguments[0].as_string();
  const auto start = *arguments[1].as_integer();
  if (arguments.size() == 3 && start > *arguments[2].as_integer()) {
    return failure(fmt::format("invalid substring range. start: {}, end: {}", start, *arguments[2].as_integer()));
  }
  const auto first = checked_place(text, start);
  if (!first) return fail(first.error());
  if (arguments.size() == 2) return text_value(text.substr(*first));
  const auto last = checked_place(text, *arguments[2].as_integer());
  if (!last) return fail(last.error());
  return text_value(text.substr(*first, *last - *first));
}

// White space of Unicode at the start of a text, in bytes; 0 if there is none.
std::size_t leading_space(std::string_view text) {
  constexpr std::string_view ascii = " \t\n\v\f\r";
  constexpr std::array<std::string_view, 19> others = {
      "\u0085", "\u00a0", "\u1680", "\u2000", "\u2001", "\u2002", "\u2003", "\u2004", "\u2005", "\u2006",
      "\u2007", "\u2008", "\u2009", "\u200a", "\u2028", "\u2029", "\u202f", "\u205f", "\u3000"};
  if (text.empty()) return 0;
  if (ascii.find(text.front()) != no_place) return 1;
  for (const auto space : others) {
    if (text.starts_with(space)) return space.size();
  }
  return 0;
}

std::string_view trim_space(std::string_view text) {
  while (const auto size = leading_space(text)) text.remove_prefix(size);
  while (!text.empty()) {
    std::size_t size = 1;
    while (size < text.size() && size < 4 && (static_cast<unsigned char>(text[text.size() - size]) & 0xC0U) == 0x80U) {
      ++size;
    }
    if (leading_space(text.substr(text.size() - size)) != size) break;
    text.remove_suffix(size);
  }
  return text;
}

Result<Value> trim_text(Arguments arguments) { return text_value(trim_space(*arguments[0].as_string())); }

Result<Value> join_texts(Arguments arguments) {
  const auto* list = arguments[0].as_list();
  const auto separator = arguments.size() == 2 ? *arguments[1].as_string() : std::string_view();
  std::string out;
  for (std::size_t i = 0; i < list->size(); ++i) {
    const auto element = list->at(i);
    const auto text = element.as_string();
    if (!text) return failure("join: invalid input: " + std::string(element.type_of().name()));
    if (i > 0) out += separator;
    out += *text;
    if (out.size() > longest_text) return failure("the result of join() is too long");
  }
  return Value::string(std::move(out));
}

Result<Value> quote_string(Arguments arguments) {
  constexpr std::string_view special = "\a\b\f\n\r\t\v\\\"";
  constexpr std::string_view names = "abfnrtv\\\"";
  const auto text = *arguments[0].as_string();
  std::string out = "\"";
  for (const char c : text) {
    const auto found = special.find(c);
    if (found == no_place) {
      out += c;
    } else {
      out += '\\';
      out += names[found];
    }
  }
  return Value::string(out + '"');
}

Result<Value> format_values(Arguments arguments) {
  auto text = format_text(*arguments[0].as_string(), *arguments[1].as_list());
  if (!text) return fail(std::move(text.error()));
  return Value::string(*std::move(text));
}

std::uint64_t cost_of_text_scan(Arguments arguments, const Value& /*result*/) { return cost_of_elements(arguments[0]); }
std::uint64_t cost_of_joined(Arguments /*arguments*/, const Value& result) {
  return cost_of_traversals(size_of(result), 2);
}

}  // namespace

Library string_extension_library() {
  const auto string = Type::string();
  const auto integer = Type::integer();
  const auto texts = Type::list(string);
  return {.functions = {
              {"charAt", {member({string, integer}, string, char_at)}},
              {"indexOf",
               {member({string, string}, integer, index_of_text, cost_of_text_scan),
                member({string, string, integer}, integer, index_of_text, cost_of_text_scan)}},
              {"lastIndexOf",
               {member({string, string}, integer, last_index_of_text, cost_of_text_scan),
                member({string, string, integer}, integer, last_index_of_text, cost_of_text_scan)}},
              {"lowerAscii", {member({string}, string, lower_ascii, cost_of_first)}},
              {"upperAscii", {member({string}, string, upper_ascii, cost_of_first)}},
              {"replace",
               {member({string, string, string}, string, replace_parts, cost_of_first_twice),
                member({string, string, string, integer}, string, replace_parts, cost_of_first_twice)}},
              {"split",
               {member({string, string}, texts, split_by, cost_of_first_twice),
                member({string, string, integer}, texts, split_by, cost_of_first_twice)}},
              {"substring",
               {member({string, integer}, string, substring, cost_of_first),
                member({string, integer, integer}, string, substring, cost_of_first)}},
              {"trim", {member({string}, string, trim_text, cost_of_first)}},
              {"join",
               {member({texts}, string, join_texts, cost_of_joined),
                member({texts, string}, string, join_texts, cost_of_joined)}},
              {"format", {member({string, Type::list(Type::dyn())}, string, format_values, cost_of_first)}},
              {"strings.quote", {global({string}, string, quote_string, cost_of_first)}},
          }};
}

}  // namespace pintle::cel
