// SPDX-License-Identifier: Apache-2.0
#include "yaml_block.hpp"

#include <algorithm>

namespace pintle::json {
namespace {

// Removes the first line from a text and returns it without its line break.
std::string_view take_line(std::string_view& text) {
  const std::size_t length = text.find('\n');
  std::string_view line = text.substr(0, length);
  text.remove_prefix(length == std::string_view::npos ? text.size() : length + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

// The number of spaces at the start of the first line that has other characters.
std::optional<std::size_t> indent_of(std::string_view text) {
  while (!text.empty()) {
    const std::size_t spaces = take_line(text).find_first_not_of(' ');
    if (spaces != std::string_view::npos) return spaces;
  }
  return std::nullopt;
}

enum class Chomping { strip, clip, keep };

// The treatment of line breaks at the end of a block, as in "|-" and ">+", from the line before the block.
Chomping chomping_of(std::string_view line, char indicator) {
  for (std::size_t at = line.find(indicator); at != std::string_view::npos; at = line.find(indicator, at + 1)) {
    std::string_view rest = line.substr(at + 1);
    const std::size_t length = std::min(rest.find_first_not_of("+-0123456789"), rest.size());
    const std::string_view signs = rest.substr(0, length);
    rest.remove_prefix(length);
    const std::size_t next = rest.find_first_not_of(" \t\r");
    if (next != std::string_view::npos && (next == 0 || rest[next] != '#')) continue;
    if (signs.find('-') != std::string_view::npos) return Chomping::strip;
    return signs.find('+') != std::string_view::npos ? Chomping::keep : Chomping::clip;
  }
  return Chomping::clip;
}

std::string_view line_before(std::string_view source, std::size_t start) {
  std::string_view line = source.substr(0, start);
  if (line.ends_with('\n')) line.remove_suffix(1);
  const std::size_t before = line.rfind('\n');
  return before == std::string_view::npos ? line : line.substr(before + 1);
}

// Folding replaces the line break between two lines by a space, or removes it if empty lines follow. Next to an
// indented line, and in a literal block, all line breaks are kept.
std::string join(std::string_view text, std::size_t indent, bool folded, Chomping chomping) {
  std::string out;
  std::string breaks;  // line breaks since the last line with content
  bool has_line = false;
  bool was_indented = false;
  while (!text.empty()) {
    const bool has_break = text.find('\n') != std::string_view::npos;
    std::string_view line = take_line(text);
    line.remove_prefix(std::min(indent, std::min(line.find_first_not_of(' '), line.size())));
    if (!line.empty()) {
      const bool is_indented = line.front() == ' ' || line.front() == '\t';
      if (folded && has_line && !was_indented && !is_indented) {
        breaks.erase(0, 1);
        if (breaks.empty()) breaks = " ";
      }
      out += breaks;
      out += line;
      breaks.clear();
      has_line = true;
      was_indented = is_indented;
    }
    if (has_break) breaks += '\n';
  }
  if (chomping == Chomping::keep) return out + breaks;
  return chomping == Chomping::clip && has_line && !breaks.empty() ? out + '\n' : out;
}

}  // namespace

YamlBlock read_block(std::string_view source, std::size_t start, std::size_t end, bool folded, std::string_view read) {
  const std::string_view lines = source.substr(start, end - start);
  const auto before = indent_of(lines);
  const auto kept = indent_of(read);
  YamlBlock block;
  if (before) block.indent = *before - std::min(*before, kept.value_or(0));
  const Chomping chomping = chomping_of(line_before(source, start), folded ? '>' : '|');
  // If all lines consist of spaces, the spaces count as indentation, even if an indentation indicator declares a
  // smaller one: in such a block, spaces are not meant as content.
  block.text = join(lines, block.indent.value_or(lines.size()), folded, chomping);
  return block;
}

}  // namespace pintle::json
