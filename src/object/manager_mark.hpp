// SPDX-License-Identifier: Apache-2.0
// The annotations that name the operator of an object which is not a child: a CRD, a webhook configuration or a Secret.
#pragma once

#include <string_view>

#include <pintle/json/value.hpp>

namespace pintle {

inline constexpr std::string_view manager_annotation = "pintle.dev/manager";
inline constexpr std::string_view manager_version_annotation = "pintle.dev/manager-version";

// Adds the annotations to the object, which has metadata. `version`: without one, only the manager is named.
void mark_manager(json::Value& object, std::string_view manager, std::string_view version = {});

}  // namespace pintle
