// SPDX-License-Identifier: Apache-2.0
// Conditions of any kind. Those of built-in kinds may lack members that find_condition() requires.
#pragma once

#include <string_view>

#include <pintle/object/object.hpp>

namespace pintle::doctor {

// Returns the entry of status.conditions with this type, or a missing view.
[[nodiscard]] inline json::View condition_of(const Object& object, std::string_view type) {
  for (const json::View one : object["/status/conditions"].elements()) {
    if (one.member("type") == type) return one;
  }
  return {};
}

[[nodiscard]] inline bool is_true(json::View condition) { return condition.member("status") == "True"; }

}  // namespace pintle::doctor
