// SPDX-License-Identifier: Apache-2.0
// The roles and bindings with which a server starts that evaluates roles.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <pintle/json/value.hpp>

namespace pintle::apiserver {

extern const std::string_view bootstrap_table;

struct BootstrapObject {
  std::string_view plural{};  // "clusterroles", "rolebindings", …
  std::string namespace_{};
  json::Value object{};
};

// Returns the objects of the table in their order.
[[nodiscard]] std::vector<BootstrapObject> bootstrap_roles();

}  // namespace pintle::apiserver
