// SPDX-License-Identifier: Apache-2.0
// Reads members of a response. A member that is missing, or has another type, is empty.
#pragma once

#include <string>
#include <string_view>

#include <pintle/json/value.hpp>

namespace pintle::tools {

[[nodiscard]] inline const json::Value& member_of(const json::Value& value, std::string_view name) {
  static const json::Value none;
  if (!value.is_object()) return none;
  const auto* found = value.get_object().if_contains(name);
  return found == nullptr ? none : *found;
}

[[nodiscard]] inline std::string text_of(const json::Value& value, std::string_view name) {
  const json::Value& member = member_of(value, name);
  return member.is_string() ? std::string(member.get_string()) : std::string();
}

[[nodiscard]] inline double number_of(const json::Value& value, std::string_view name) {
  const json::Value& member = member_of(value, name);
  return member.is_number() ? member.to_number<double>() : 0;
}

[[nodiscard]] inline const json::array& list_of(const json::Value& value, std::string_view name) {
  static const json::array none;
  const json::Value& member = member_of(value, name);
  return member.is_array() ? member.get_array() : none;
}

}  // namespace pintle::tools
