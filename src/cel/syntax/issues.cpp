// SPDX-License-Identifier: Apache-2.0
#include "issues.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <pintle/base/utf8.hpp>

#include "cel/value/text.hpp"

namespace pintle::cel {
namespace {

constexpr std::size_t longest_snippet = 16384;

// The marks are wide below a character of several bytes, so that they stay below it in a fixed-width font.
void append_marks(std::string& out, std::string_view line, std::size_t columns) {
  for (std::size_t i = 0; i < columns && !line.empty(); ++i) {
    const auto length = std::max<std::size_t>(1, utf8_length(line));
    out += length > 1 ? "\uff0e" : ".";
    line.remove_prefix(length);
  }
  out += !line.empty() && utf8_length(line) > 1 ? "\uff3e" : "^";
}

}  // namespace

Source::Source(std::string_view text) : text_(sanitize_utf8(text)) {}

std::size_t Source::code_points() const noexcept { return count_code_points(text_); }

Position Source::position(std::size_t offset) const noexcept {
  const auto before = std::string_view(text_).substr(0, offset);
  const auto newline = before.rfind('\n');
  const auto line = newline == std::string_view::npos ? before : before.substr(newline + 1);
  return {.line = 1 + static_cast<std::size_t>(std::ranges::count(before, '\n')),
          .column = 1 + count_code_points(line)};
}

std::string Source::describe(const Issue& issue) const {
  const auto place = position(issue.offset);
  std::string out = fmt::format("ERROR: <input>:{}:{}: {}", place.line, place.column, issue.message);
  const auto previous = text_.rfind('\n', issue.offset == 0 ? std::string::npos : issue.offset - 1);
  const auto start = issue.offset == 0 || previous == std::string::npos ? 0 : previous + 1;
  std::string line = text_.substr(start, text_.find('\n', start) - start);
  if (line.size() > longest_snippet) return out;
  std::ranges::replace(line, '\t', ' ');
  out += "\n | " + line + "\n | ";
  append_marks(out, line, place.column - 1);
  return out;
}

void Issues::add(std::size_t offset, std::string message) {
  if (++count_ <= limit_) issues_.push_back({.offset = offset, .message = std::move(message)});
}

std::vector<Issue> Issues::sorted() const {
  auto sorted = issues_;
  std::ranges::stable_sort(sorted, {}, &Issue::offset);
  return sorted;
}

std::string Issues::describe(const Source& source) const {
  std::string out;
  for (const auto& issue : sorted()) {
    if (!out.empty()) out += '\n';
    out += source.describe(issue);
  }
  if (count_ > limit_) out += fmt::format("\n{} more errors were truncated", count_ - limit_);
  return out;
}

}  // namespace pintle::cel
