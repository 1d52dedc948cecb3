// SPDX-License-Identifier: Apache-2.0
#include "last_applied.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "apiserver/registry/metadata.hpp"
#include "apiserver/registry/values.hpp"
#include "object/merge/typed_walk.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;

constexpr std::string_view last_applied_annotation = "kubectl.kubernetes.io/last-applied-configuration";

std::string_view last_applied_of(const Value& object) {
  const Value* annotations = json::find(object, "/metadata/annotations");
  const Value* text = annotations == nullptr ? nullptr : member(*annotations, last_applied_annotation);
  return text != nullptr && text->is_string() ? std::string_view(text->get_string()) : std::string_view{};
}

// Returns a value whose members are sorted by name, as kubectl prints them.
Value sorted(const Value& value) {
  if (const json::array* list = value.if_array()) {
    json::array out;
    for (const Value& item : *list) out.push_back(sorted(item));
    return out;
  }
  const json::object* map = value.if_object();
  if (map == nullptr) return value;
  std::vector<std::string_view> names;
  for (const auto& each : *map) names.emplace_back(each.key());
  std::sort(names.begin(), names.end());
  json::object out;
  for (const std::string_view name : names) out[name] = sorted(map->at(name));
  return out;
}

bool is_too_large(const Value& object) {
  std::vector<StatusCause> causes;
  validate_labels_and_annotations(object, causes);
  return std::any_of(causes.begin(), causes.end(),
                     [](const StatusCause& cause) { return cause.reason == "FieldValueTooLong"; });
}

}  // namespace

bool is_last_applied(const Error& refused, const Value& live, json::View schema) {
  const auto config = json::parse(last_applied_of(live));
  if (!config || text_at(*config, "/apiVersion") != text_at(live, "/apiVersion")) return false;
  FieldSet fields = claimed_fields(*config, schema);
  const Comparison difference = compare_fields(*config, live, schema);
  for (const FieldSet* other : {&difference.modified, &difference.added, &difference.removed}) fields.subtract(*other);
  const std::vector<std::string> allowed = fields.paths();
  return !allowed.empty() && std::all_of(refused.causes.begin(), refused.causes.end(), [&](const StatusCause& cause) {
    return std::find(allowed.begin(), allowed.end(), cause.field) != allowed.end();
  });
}

void renew_last_applied(const Value& live, const Value& config, Value& next) {
  if (last_applied_of(live).empty()) return;
  Value stored = sorted(config);
  if (json::object* annotations = object_at(stored, "/metadata/annotations"))
    annotations->erase(last_applied_annotation);
  json::object& annotations = object_in(next.as_object()["metadata"], "annotations");
  annotations[last_applied_annotation] = json::print(stored) + "\n";
  if (is_too_large(next)) annotations.erase(last_applied_annotation);
}

}  // namespace pintle::apiserver
