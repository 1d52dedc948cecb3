// SPDX-License-Identifier: Apache-2.0
// parse_yaml_entries(): reads a flat YAML mapping of settings, with the original text and the line of each value.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/base/result.hpp>

namespace pintle::json {

struct YamlEntry {
  std::string key{};
  std::optional<std::string> text{};  ///< as written, without quotes: off is "off", 010 is "010"; none for null
  int line = 0;                       ///< counted from 1
};

/// Parses one document whose members are scalars, and returns them in their order. An empty document has no entries.
/// Error: invalid, with line and column, for every other document, also for aliases and duplicate keys.
[[nodiscard]] PINTLE_EXPORT Result<std::vector<YamlEntry>> parse_yaml_entries(std::string_view text);

}  // namespace pintle::json
