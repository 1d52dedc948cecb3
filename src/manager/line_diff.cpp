// SPDX-License-Identifier: Apache-2.0
#include "line_diff.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace pintle {
namespace {

constexpr std::size_t context = 3;             // equal lines around a change
constexpr std::size_t max_cells = 16'000'000;  // of the table; beyond it, all lines count as changed

using Lines = std::vector<std::string_view>;

Lines lines_of(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

struct Edit {
  char sign;  // ' ', '-' or '+'
  std::string_view line;
};

// The edits between two texts without a common begin or end, by their longest common subsequence.
void append_edits(std::vector<Edit>& edits, const Lines& before, const Lines& after) {
  const std::size_t rows = before.size();
  const std::size_t columns = after.size();
  if (rows * columns > max_cells) {
    for (const std::string_view line : before) edits.push_back({'-', line});
    for (const std::string_view line : after) edits.push_back({'+', line});
    return;
  }
  const std::size_t width = columns + 1;
  std::vector<std::uint32_t> common((rows + 1) * width);  // length from a place to both ends
  for (std::size_t i = rows; i-- > 0;) {
    for (std::size_t j = columns; j-- > 0;) {
      common[i * width + j] = before[i] == after[j] ? common[(i + 1) * width + j + 1] + 1
                                                    : std::max(common[(i + 1) * width + j], common[i * width + j + 1]);
    }
  }
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < rows || j < columns) {
    if (i < rows && j < columns && before[i] == after[j]) {
      edits.push_back({' ', before[i++]});
      ++j;
    } else if (j == columns || (i < rows && common[(i + 1) * width + j] >= common[i * width + j + 1])) {
      edits.push_back({'-', before[i++]});
    } else {
      edits.push_back({'+', after[j++]});
    }
  }
}

std::vector<Edit> edits_of(Lines before, Lines after) {
  std::vector<Edit> edits;
  const auto begin = std::ranges::mismatch(before, after);
  for (auto line = before.begin(); line != begin.in1; ++line) edits.push_back({' ', *line});
  before.erase(before.begin(), begin.in1);
  after.erase(after.begin(), begin.in2);
  Lines end;
  while (!before.empty() && !after.empty() && before.back() == after.back()) {
    end.push_back(before.back());
    before.pop_back();
    after.pop_back();
  }
  append_edits(edits, before, after);
  for (auto line = end.rbegin(); line != end.rend(); ++line) edits.push_back({' ', *line});
  return edits;
}

}  // namespace

std::string line_diff(std::string_view before, std::string_view after) {
  const std::vector<Edit> edits = edits_of(lines_of(before), lines_of(after));
  std::vector<bool> is_shown(edits.size());
  for (std::size_t i = 0; i < edits.size(); ++i) {
    if (edits[i].sign == ' ') continue;
    const std::size_t end = std::min(edits.size(), i + context + 1);
    for (std::size_t j = i - std::min(i, context); j < end; ++j) is_shown[j] = true;
  }
  std::string text;
  bool is_gap = true;
  for (std::size_t i = 0; i < edits.size(); ++i) {
    if (is_shown[i] && is_gap) text += "@@\n";
    is_gap = !is_shown[i];
    if (is_shown[i]) text.append(1, edits[i].sign).append(edits[i].line).append("\n");
  }
  return text;
}

}  // namespace pintle
