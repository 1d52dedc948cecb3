// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <pintle/json/value.hpp>

namespace pintle::apiserver {

// Returns the type that kube-apiserver names for a JSON value in its messages.
[[nodiscard]] inline std::string_view go_type(const json::Value& value) {
  if (value.is_null()) return "<nil>";
  if (value.is_string()) return "string";
  if (value.is_bool()) return "bool";
  if (value.is_double()) return "float64";
  if (value.is_number()) return "int64";
  return value.is_array() ? "[]interface {}" : "map[string]interface {}";
}

}  // namespace pintle::apiserver
