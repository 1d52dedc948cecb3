// SPDX-License-Identifier: Apache-2.0
// Parses YAML with duplicate keys, which parse_yaml() refuses.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/result.hpp>
#include <pintle/json/value.hpp>

namespace pintle::json {

struct YamlDuplicate {
  std::size_t line = 0;  // of the second occurrence, from 1
  std::string key{};
};

// As parse_yaml(), but a repeated key replaces the earlier value and is added to `duplicates`.
[[nodiscard]] Result<Value> parse_yaml(std::string_view text, std::vector<YamlDuplicate>& duplicates);

}  // namespace pintle::json
