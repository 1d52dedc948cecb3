// SPDX-License-Identifier: Apache-2.0
// User: the sender of a request.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pintle/json/value.hpp>

namespace pintle::apiserver {

struct User {
  std::string name{};
  std::string uid{};
  std::vector<std::string> groups{};
  std::map<std::string, std::vector<std::string>> extra{};

  [[nodiscard]] bool is_in(std::string_view group) const {
    return std::find(groups.begin(), groups.end(), group) != groups.end();
  }
};

inline constexpr std::string_view anonymous_user = "system:anonymous";
inline constexpr std::string_view authenticated_group = "system:authenticated";
inline constexpr std::string_view unauthenticated_group = "system:unauthenticated";
inline constexpr std::string_view masters_group = "system:masters";  // every request is allowed

// The UserInfo of authentication.k8s.io/v1, without members that are empty.
[[nodiscard]] inline json::Value to_json(const User& user) {
  json::object out{{"username", user.name}};
  if (!user.uid.empty()) out["uid"] = user.uid;
  if (!user.groups.empty()) out["groups"] = json::array(user.groups.begin(), user.groups.end());
  if (user.extra.empty()) return out;
  json::object extra;
  for (const auto& [key, values] : user.extra) extra[key] = json::array(values.begin(), values.end());
  out["extra"] = std::move(extra);
  return out;
}

}  // namespace pintle::apiserver
