// SPDX-License-Identifier: Apache-2.0
#include <pintle/base/nearest_name.hpp>

#include <algorithm>
#include <numeric>
#include <utility>

namespace pintle {
namespace {

// The Levenshtein distance: the number of characters to insert, remove or replace to turn one text into the other.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, diagonal + 1, row[j] + 1});
    }
  }
  return row.back();
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
  return nearest == nullptr ? "" : "; did you mean " + std::string(prefix) + *nearest + "?";
}

}  // namespace pintle
