// A YAML mapping of settings, each as the text that stands there and with its line.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/result.hpp>

namespace pintle::json {

struct YamlEntry {
  std::string key{};
  std::optional<std::string> text{};  // without quotes, else as written: off is "off", 010 is "010"; none for null
  int line = 0;                       // from 1
};

// Reads one document whose members are scalars, in their order; an empty one has none. Error: invalid, with line and
// column, for anything else, aliases and a key that is there twice among it.
[[nodiscard]] Result<std::vector<YamlEntry>> parse_yaml_entries(std::string_view text);

}  // namespace pintle::json
