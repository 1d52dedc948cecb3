// SPDX-License-Identifier: Apache-2.0
#include "embedded.hpp"

#include <utility>

#include <fmt/format.h>

#include "../fit.hpp"
#include "../place.hpp"
#include "apiserver/registry/metadata.hpp"
#include "apiserver/registry/values.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;
using json::View;

// Calls `visit` with each embedded object and its path, until it returns an error.
template <class Visit>
StatusOr<void> visit_embedded(Value& value, View schema, const Place& path, Visit& visit) {
  if (!schema.is_object()) return {};
  if (json::array* list = value.if_array()) {
    for (std::size_t i = 0; i < list->size(); ++i) {
      auto done = visit_embedded((*list)[i], schema.member("items"), Place(path, i), visit);
      if (!done) return done;
    }
    return {};
  }
  json::object* members = value.if_object();
  if (members == nullptr) return {};
  if (schema.member("x-kubernetes-embedded-resource") == true) {
    if (auto done = visit(value, path); !done) return done;
    members = value.if_object();
  }
  for (auto& each : *members) {
    const std::string_view name = each.key();
    const View known = schema.member("properties").member(name);
    auto done = visit_embedded(each.value(), known.exists() ? known : schema.member("additionalProperties"),
                               Place(path, name), visit);
    if (!done) return done;
  }
  return {};
}

}  // namespace

StatusOr<void> fit_embedded(Value& object, View schema, std::vector<std::string>& unknown) {
  const auto visit = [&](Value& inner, const Place& path) -> StatusOr<void> {
    if (member(inner, "metadata") == nullptr) return {};
    std::vector<std::string> strange;
    const Value given = inner.as_object()["metadata"];
    if (auto fitted = fit_metadata(inner, strange); !fitted) {
      const std::string field = fmt::format("{}.metadata", path.print());
      const StatusCause cause = invalid_value(field, given, fitted.error().message);
      return refuse(bad_request(fmt::format("{}: {}", cause.field, cause.message)));
    }
    for (const std::string& name : strange) {
      if (unknown.size() == max_field_errors) break;
      unknown.push_back(fmt::format("{}.{}", path.print(max_shown_path), name));
    }
    return {};
  };
  return visit_embedded(object, schema, Place(), visit);
}

void validate_embedded(const Value& object, View schema, std::vector<StatusCause>& causes) {
  Value copy = object;
  const auto visit = [&](Value& inner, const Place& path) -> StatusOr<void> {
    std::vector<StatusCause> found;
    validate_labels_and_annotations(inner, found);
    for (StatusCause& cause : found) {
      cause.field = fmt::format("{}.{}", path.print(), cause.field);
      causes.push_back(std::move(cause));
    }
    return {};
  };
  (void)visit_embedded(copy, schema, Place(), visit);
}

bool has_embedded(View schema) {
  if (!schema.is_object()) return false;
  if (schema.member("x-kubernetes-embedded-resource") == true) return true;
  for (const auto [name, below] : schema.member("properties").members()) {
    if (has_embedded(below)) return true;
  }
  return has_embedded(schema.member("items")) || has_embedded(schema.member("additionalProperties"));
}

}  // namespace pintle::apiserver
