// SPDX-License-Identifier: Apache-2.0
#include "path_rules.hpp"

#include "apiserver/registry/refusal.hpp"
#include "apiserver/registry/words.hpp"

namespace pintle::apiserver {

bool has_backsteps(std::string_view path) {
  for (const std::string_view element : split(path, '/')) {
    if (element == "..") return true;
  }
  return false;
}

void validate_no_backsteps(std::string_view path, const std::string& field, std::vector<StatusCause>& causes) {
  if (has_backsteps(path)) causes.push_back(invalid_value(field, json::Value(path), "must not contain '..'"));
}

void validate_descending_path(std::string_view path, const std::string& field, std::vector<StatusCause>& causes) {
  if (path.starts_with('/')) causes.push_back(invalid_value(field, json::Value(path), "must be a relative path"));
  validate_no_backsteps(path, field, causes);
}

void validate_local_path(std::string_view path, const std::string& field, std::vector<StatusCause>& causes) {
  validate_descending_path(path, field, causes);
  if (path.starts_with("..") && !path.starts_with("../")) {
    causes.push_back(invalid_value(field, json::Value(path), "must not start with '..'"));
  }
}

}  // namespace pintle::apiserver
