// SPDX-License-Identifier: Apache-2.0
#include "new/render.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include <fmt/format.h>

namespace pintle::tools {
namespace {

constexpr std::string_view condition_line = "@if ";
constexpr std::string_view end_line = "@end@";

bool is_name_character(char c) { return (c >= 'a' && c <= 'z') || c == '_'; }

// Returns the name between the "@" at `at` and the next one; "" if this is not a placeholder.
std::string_view placeholder_at(std::string_view line, std::size_t at) {
  const std::size_t end = line.find('@', at + 1);
  if (end == std::string_view::npos) return {};
  const std::string_view name = line.substr(at + 1, end - at - 1);
  return std::ranges::all_of(name, is_name_character) ? name : std::string_view();
}

Result<std::string> render_line(std::string_view line, const RenderInput& input) {
  std::string out;
  for (std::size_t at = 0; at < line.size(); ++at) {
    const std::string_view name = line[at] == '@' ? placeholder_at(line, at) : std::string_view();
    if (name.empty()) {
      out += line[at];
      continue;
    }
    const auto value = input.values.find(name);
    if (value == input.values.end()) return fail(ErrorCode::invalid, fmt::format("@{}@ has no value", name));
    out += value->second;
    at += name.size() + 1;
  }
  return out;
}

// Evaluates "A B" or "!A".
bool holds(std::string_view condition, const RenderInput& input) {
  if (condition.starts_with('!')) return !input.conditions.contains(condition.substr(1));
  while (!condition.empty()) {
    const std::size_t space = std::min(condition.find(' '), condition.size());
    if (input.conditions.contains(condition.substr(0, space))) return true;
    condition.remove_prefix(std::min(space + 1, condition.size()));
  }
  return false;
}

}  // namespace

Result<std::string> render(std::string_view text, const RenderInput& input) {
  std::string out;
  bool is_in_block = false;
  bool is_skipped = false;
  int number = 0;
  const auto wrong = [&](std::string_view what) {
    return fail(ErrorCode::invalid, fmt::format("line {}: {}", number, what));
  };
  while (!text.empty()) {
    ++number;
    const std::size_t end = std::min(text.find('\n'), text.size() - 1);
    const std::string_view line = text.substr(0, text[end] == '\n' ? end : end + 1);
    const std::string_view with_break = text.substr(0, end + 1);
    text.remove_prefix(end + 1);
    if (line.starts_with(condition_line) && line.ends_with('@')) {
      if (is_in_block) return wrong("a block begins in another one");
      is_in_block = true;
      is_skipped = !holds(line.substr(condition_line.size(), line.size() - condition_line.size() - 1), input);
    } else if (line == end_line) {
      if (!is_in_block) return wrong("@end@ without @if@");
      is_in_block = is_skipped = false;
    } else if (!is_skipped) {
      auto rendered = render_line(with_break, input);
      if (!rendered) return wrong(rendered.error().message);
      out += *rendered;
    }
  }
  if (is_in_block) return wrong("a block without @end@");
  return out;
}

}  // namespace pintle::tools
