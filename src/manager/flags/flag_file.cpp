// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <pintle/base/nearest_name.hpp>
#include <pintle/json/yaml_entries.hpp>

#include "flag_sources.hpp"

namespace pintle {
namespace {

std::vector<std::string> keys_of(const FlagTable& table) {
  std::vector<std::string> keys;
  for (const FlagGroup& group : table) {
    for (const FlagRow& row : group.rows) {
      if (row.last == FlagSource::file) keys.push_back(row.name);
    }
  }
  return keys;
}

}  // namespace

Result<GivenFlags> read_config(const FlagTable& table, const std::string& file, const std::string& text) {
  auto entries = json::parse_yaml_entries(text);
  if (!entries) {
    const std::string& what = entries.error().message;
    const char* remedy = what.ends_with("not a list") ? "; separate several values by commas" : "";
    return fail(entries.error().code, file + ": " + what + remedy);
  }
  const std::vector<std::string> keys = keys_of(table);
  GivenFlags given;
  for (json::YamlEntry& entry : *entries) {
    const std::string line = fmt::format("{}: line {}: ", file, entry.line);
    if (std::find(keys.begin(), keys.end(), entry.key) == keys.end()) {
      return fail(ErrorCode::invalid, line + "unknown key " + entry.key + did_you_mean(entry.key, keys));
    }
    if (!entry.text) {
      return fail(ErrorCode::invalid, line + entry.key + " has no value; set one, or remove the line");
    }
    given[entry.key] = {std::move(*entry.text), FlagSource::file, line + entry.key};
  }
  return given;
}

}  // namespace pintle
