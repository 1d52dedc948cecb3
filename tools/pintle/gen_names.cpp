// SPDX-License-Identifier: Apache-2.0
#include "gen_names.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>

#include <fmt/format.h>

#include <pintle/base/text.hpp>

namespace pintle::tools {
namespace {

constexpr std::string_view keywords[] = {
    "alignas",     "alignof",  "and",        "and_eq",    "asm",       "auto",         "bitand",
    "bitor",       "bool",     "break",      "case",      "catch",     "char",         "char16_t",
    "char32_t",    "char8_t",  "class",      "co_await",  "co_return", "co_yield",     "compl",
    "concept",     "const",    "const_cast", "consteval", "constexpr", "constinit",    "continue",
    "decltype",    "default",  "delete",     "do",        "double",    "dynamic_cast", "else",
    "enum",        "explicit", "export",     "extern",    "false",     "float",        "for",
    "friend",      "goto",     "if",         "inline",    "int",       "long",         "mutable",
    "namespace",   "new",      "noexcept",   "not",       "not_eq",    "nullptr",      "operator",
    "or",          "or_eq",    "private",    "protected", "public",    "register",     "reinterpret_cast",
    "requires",    "return",   "short",      "signed",    "sizeof",    "static",       "static_assert",
    "static_cast", "struct",   "switch",     "template",  "this",      "thread_local", "throw",
    "true",        "try",      "typedef",    "typeid",    "typename",  "union",        "unsigned",
    "using",       "virtual",  "void",       "volatile",  "wchar_t",   "while",        "xor",
    "xor_eq"};

// Macros of compilers with GNU extensions, which are usually enabled, and of common system headers.
constexpr std::string_view macros[] = {"errno", "i386", "linux", "major", "minor", "unix"};

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) { return is_upper(c) || is_lower(c) || is_digit(c); }

// Returns whether a word begins at this place, as at G in "HTTPGet". No word begins at P in "clusterIPs" and "IPv4",
// because the following lower-case letter belongs to the capitals before it.
bool begins_word(std::string_view text, std::size_t at) {
  const auto peek = [&](std::size_t i) { return i < text.size() ? text[i] : '\0'; };
  if (at == 0 || !is_upper(text[at])) return false;
  if (!is_upper(text[at - 1])) return true;
  if (text[at] == 'V' && is_digit(peek(at + 1))) return true;
  if (!is_lower(peek(at + 1))) return false;
  const bool is_lone_letter = !is_lower(peek(at + 2));
  return !(is_lone_letter && (peek(at + 1) == 's' || is_digit(peek(at + 2))));
}

std::string as_identifier(std::string name) {
  if (!name.empty() && is_digit(name.front())) name.insert(0, "_");
  const auto is_among = [&name](const auto& words) {
    return std::find(std::begin(words), std::end(words), name) != std::end(words);
  };
  if (is_among(keywords) || is_among(macros)) name += '_';
  return name;
}

}  // namespace

std::string snake_case(std::string_view json) {
  std::string name;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const bool is_gap = !is_word(json[i]);
    if ((is_gap || begins_word(json, i)) && !name.empty() && name.back() != '_') name += '_';
    if (!is_gap) name += to_lower_ascii(json.substr(i, 1));
  }
  while (!name.empty() && name.back() == '_') name.pop_back();
  return as_identifier(std::move(name));
}

std::string pascal_case(std::string_view json) {
  std::string name;
  bool starts = true;
  for (const char c : json) {
    if (is_word(c)) name += starts && is_lower(c) ? static_cast<char>(c - 'a' + 'A') : c;
    starts = !is_word(c);
  }
  if (!name.empty() && is_digit(name.front())) name.insert(0, "N");
  return name;
}

std::string singular(std::string_view plural) {
  const auto without = [&](std::size_t count) { return std::string(plural.substr(0, plural.size() - count)); };
  for (const std::string_view end : {"sses", "xes", "ches", "shes"}) {
    if (plural.ends_with(end)) return without(2);
  }
  if (plural.ends_with("ies")) return without(3) + "y";
  const bool stays = plural.ends_with("ss") || plural.ends_with("us") || plural.ends_with("is");
  return plural.ends_with("s") && !stays ? without(1) : std::string(plural);
}

std::string enumerator(std::string_view value) {
  static constexpr std::pair<std::string_view, std::string_view> signs[] = {
      {"", "empty"}, {"*", "any"}, {"+", "plus"}, {"-", "minus"}, {"<", "less"}, {">", "greater"}, {"=", "equal"}};
  for (const auto& [sign, name] : signs) {
    if (value == sign) return std::string(name);
  }
  return snake_case(value);
}

bool is_namespace(std::string_view text) {
  while (true) {
    const std::size_t colons = std::min(text.find("::"), text.size());
    const std::string name(text.substr(0, colons));
    const bool has_letters_only = std::ranges::all_of(name, [](char c) { return is_word(c) || c == '_'; });
    if (name.empty() || !has_letters_only || as_identifier(name) != name) return false;
    if (colons == text.size()) return true;
    text.remove_prefix(colons + 2);
  }
}

std::string literal(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    switch (c) {
      case '"': out += "\\\""; break;
      case '\\': out += "\\\\"; break;
      case '\n': out += "\\n"; break;
      case '\t': out += "\\t"; break;
      default:
        // An octal escape has at most three digits, so a digit that follows does not become part of it.
        out += static_cast<unsigned char>(c) < 0x20 ? fmt::format("\\{:03o}", c) : std::string(1, c);
    }
  }
  return out + '"';
}

std::string raw_literal(std::string_view text) {
  // Only short texts, because .clang-format breaks long literals.
  const bool is_plain = text.find_first_of("\"\\") == std::string_view::npos && text.size() <= 80;
  const bool ends_early = text.find(")\"") != std::string_view::npos;
  const bool has_control = std::any_of(text.begin(), text.end(), [](unsigned char c) { return c < 0x20; });
  return is_plain || ends_early || has_control ? literal(text) : fmt::format("R\"({})\"", text);
}

}  // namespace pintle::tools
