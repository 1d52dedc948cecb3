// SPDX-License-Identifier: Apache-2.0
// Reads the rules for merging from an OpenAPI schema: which lists have keys, which maps are atomic, which names are
// fields.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <pintle/json/document.hpp>

namespace pintle {

// The schema of ObjectMeta. The schema of an object does not need to contain it.
[[nodiscard]] json::View object_meta_schema();

// The schema of a member of an object; missing if it is not defined. `root`: the schema is that of a whole object,
// whose metadata is always ObjectMeta.
[[nodiscard]] json::View member_schema(json::View schema, std::string_view name, bool root);
// Returns whether the schema lists this member, so that it is a field and not an entry of a map.
[[nodiscard]] bool names_member(json::View schema, std::string_view name, bool root);

[[nodiscard]] bool is_atomic_map(json::View schema);

enum class ListType { atomic, set, map };
[[nodiscard]] ListType list_type(json::View schema);
// The keys of a list map.
[[nodiscard]] std::vector<std::string_view> list_keys(json::View schema);

}  // namespace pintle
