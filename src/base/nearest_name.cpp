// SPDX-License-Identifier: Apache-2.0
#include <pintle/base/nearest_name.hpp>

#include <algorithm>
#include <numeric>
#include <utility>

namespace pintle {
namespace {

// The number of changes that turn one text into the other: a character is inserted, removed or replaced, or two
// adjacent characters are swapped (optimal string alignment).
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before;  // the row before `above`
  std::vector<std::size_t> above(b.size() + 1);
  std::iota(above.begin(), above.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::vector<std::size_t> row(b.size() + 1, i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = above[j] + (a[i] == b[j] ? 0 : 1);
      row[j + 1] = std::min({replaced, above[j + 1] + 1, row[j] + 1});
      const bool are_swapped = i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j];
      if (are_swapped) row[j + 1] = std::min(row[j + 1], before[j - 1] + 1);
    }
    before = std::exchange(above, std::move(row));
  }
  return above.back();
}

// Returns the only name that begins with a text of at least two characters, or null.
const std::string* only_name_with(std::string_view beginning, const std::vector<std::string>& known) {
  const auto begins = [&](const std::string& name) { return name.starts_with(beginning); };
  const auto found = std::find_if(known.begin(), known.end(), begins);
  if (beginning.size() < 2 || found == known.end()) return nullptr;
  return std::any_of(found + 1, known.end(), begins) ? nullptr : &*found;
}

}  // namespace

std::string did_you_mean(std::string_view wrong, const std::vector<std::string>& known, std::string_view prefix) {
  if (wrong.starts_with(prefix)) wrong.remove_prefix(prefix.size());
  constexpr std::size_t max_length = 100;  // distance() takes time proportional to the product of both lengths
  if (wrong.size() > max_length) return {};
  std::size_t best =
      std::max<std::size_t>(2, wrong.size() / 3 + 1);  // names at this distance or more are not suggested
  const std::string* nearest = nullptr;
  for (const std::string& name : known) {
    const std::size_t far = distance(wrong, name);
    if (far >= best) continue;
    best = far;
    nearest = &name;
  }
  if (nearest == nullptr) nearest = only_name_with(wrong, known);
  return nearest == nullptr ? "" : "; did you mean " + std::string(prefix) + *nearest + "?";
}

}  // namespace pintle
