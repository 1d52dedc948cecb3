// SPDX-License-Identifier: Apache-2.0
// Prints values as Go does, which messages of kube-apiserver contain.
#pragma once

#include <string>

#include <pintle/json/value.hpp>

namespace pintle {

// Returns "map[data:map[k:1] items:[a b]]", with the members sorted by name.
[[nodiscard]] std::string go_text(const json::Value& value);

}  // namespace pintle
