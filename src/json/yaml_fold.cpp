#include "yaml_fold.hpp"

#include <algorithm>

namespace pintle::json {
namespace {

// Takes one line off a text, without its break.
std::string_view take_line(std::string_view& text) {
  const std::size_t length = text.find('\n');
  std::string_view line = text.substr(0, length);
  text.remove_prefix(length == std::string_view::npos ? text.size() : length + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

// The spaces before the first line that has more than spaces; npos where there is none.
std::size_t indent_of(std::string_view text) {
  while (!text.empty()) {
    const std::size_t spaces = take_line(text).find_first_not_of(' ');
    if (spaces != std::string_view::npos) return spaces;
  }
  return std::string_view::npos;
}

// What ">-", ">+" or ">" at the end of a line says about the breaks at the end of the block.
char chomping_of(std::string_view line) {
  for (std::size_t at = line.find('>'); at != std::string_view::npos; at = line.find('>', at + 1)) {
    std::string_view rest = line.substr(at + 1);
    const std::size_t length = std::min(rest.find_first_not_of("+-0123456789"), rest.size());
    const std::string_view signs = rest.substr(0, length);
    rest.remove_prefix(length);
    const std::size_t next = rest.find_first_not_of(" \t\r");
    if (next != std::string_view::npos && (next == 0 || rest[next] != '#')) continue;
    if (signs.find('-') != std::string_view::npos) return '-';
    return signs.find('+') != std::string_view::npos ? '+' : ' ';
  }
  return ' ';
}

// Breaks between two lines become a space, or go where empty lines follow; next to an indented line all of them stay.
std::string fold(std::string_view text, std::size_t indent, char chomping) {
  std::string out;
  std::string breaks;  // since the last line with content
  bool has_line = false;
  bool was_indented = false;
  while (!text.empty()) {
    const bool has_break = text.find('\n') != std::string_view::npos;
    std::string_view line = take_line(text);
    line.remove_prefix(std::min(indent, std::min(line.find_first_not_of(' '), line.size())));
    if (!line.empty()) {
      const bool is_indented = line.front() == ' ' || line.front() == '\t';
      if (has_line && !was_indented && !is_indented) {
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
  if (chomping == '+') return out + breaks;
  return chomping == ' ' && has_line && !breaks.empty() ? out + '\n' : out;
}

}  // namespace

std::string fold_block(std::string_view source, std::size_t start, std::size_t end, std::string_view read) {
  const std::string_view lines = source.substr(start, end - start);
  const std::size_t before = indent_of(lines);
  const std::size_t kept = indent_of(read);
  if (before == std::string_view::npos || kept == std::string_view::npos || kept > before) return std::string(read);
  std::string_view header = source.substr(0, start);
  if (header.ends_with('\n')) header.remove_suffix(1);
  const std::size_t line = header.rfind('\n');
  if (line != std::string_view::npos) header.remove_prefix(line + 1);
  return fold(lines, before - kept, chomping_of(header));
}

}  // namespace pintle::json
