// SPDX-License-Identifier: Apache-2.0
#include "write_effects.hpp"

#include <algorithm>
#include <utility>

namespace pintle {

namespace {

bool has_directive(const json::Value& patch) {
  if (const json::object* members = patch.if_object()) {
    return std::any_of(members->begin(), members->end(),
                       [](const auto& one) { return one.key().starts_with('$') || has_directive(one.value()); });
  }
  const json::array* elements = patch.if_array();
  return elements != nullptr && std::any_of(elements->begin(), elements->end(), has_directive);
}

// Whether a value already has the content of a strategic patch.
bool has_content(const json::Value& value, const json::Value& patch) {
  if (const json::object* members = patch.if_object()) {
    const json::object* known = value.if_object();
    return known != nullptr && std::all_of(members->begin(), members->end(), [&](const auto& one) {
             const json::Value* there = known->if_contains(one.key());
             if (one.value().is_null()) return there == nullptr || there->is_null();
             return there != nullptr && has_content(*there, one.value());
           });
  }
  if (const json::array* elements = patch.if_array()) {
    const json::array* known = value.if_array();
    return known != nullptr && std::all_of(elements->begin(), elements->end(), [&](const json::Value& one) {
             return std::any_of(known->begin(), known->end(),
                                [&](const json::Value& there) { return has_content(there, one); });
           });
  }
  return json::equal(value, patch);
}

// Returns the members of a body that a replacement changes.
json::Value replaced_part(const json::Value& body, std::string_view subresource) {
  json::object part;
  const json::object* members = body.if_object();
  if (members == nullptr) return part;
  if (!subresource.empty()) {
    if (const json::Value* content = members->if_contains(subresource)) part[subresource] = *content;
    return part;
  }
  part = *members;
  part.erase("status");  // a kind without this subresource would change it
  part.erase("metadata");
  const json::Value* metadata = members->if_contains("metadata");
  const json::object* given = metadata == nullptr ? nullptr : metadata->if_object();
  json::object kept;
  for (const char* name : {"labels", "annotations", "finalizers", "ownerReferences"}) {
    const json::Value* value = given == nullptr ? nullptr : given->if_contains(name);
    if (value != nullptr) kept[name] = *value;
  }
  if (!kept.empty()) part["metadata"] = std::move(kept);
  return part;
}

}  // namespace

bool merge_would_change(const Object& before, const json::Value& patch) {
  const json::Value known = before.to_value();
  json::Value after = known;
  json::apply_merge_patch(after, patch);
  return after != known;
}

bool json_patch_would_change(const Object& before, const json::Patch& patch) {
  const json::Value known = before.to_value();
  json::Value after = known;
  const auto applied = json::apply_patch(after, patch.operations);
  if (!applied) return applied.error().reason != "test_failed";
  return after != known;
}

bool strategic_patch_would_change(const Object& before, const json::Value& patch) {
  return !has_directive(patch) && !has_content(before.to_value(), patch);
}

bool replacement_would_change(const Object& before, const json::Value& body, std::string_view subresource) {
  return merge_would_change(before, replaced_part(body, subresource));
}

}  // namespace pintle
