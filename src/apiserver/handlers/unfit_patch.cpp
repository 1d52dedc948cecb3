// SPDX-License-Identifier: Apache-2.0
// Refusals of patches whose result cannot be decoded as the kind of the object.
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "apiserver/registry/go_type.hpp"
#include "apiserver/registry/values.hpp"
#include "object/merge/go_text.hpp"
#include "patch.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;
using json::View;

Refusal about_patch(const Value& value, std::string_view why) {
  return invalid({}, {invalid_value("patch", value, why)});
}

// Returns the Go type that a value does not have; empty if it has its type.
std::string_view missed_type(const Value& value, View schema) {
  const std::string_view type = schema.member("type").text();
  const std::string_view format = schema.member("format").text();
  if (type == "string") return value.is_string() || !format.empty() ? "" : "string";
  if (type == "boolean") return value.is_bool() ? "" : "bool";
  if (type != "integer" || value.is_number()) return "";
  return format == "int64" ? "int64" : "int32";
}

// Returns the first member of a patch that has another type than that of the schema, as an error; empty if there is
// none.
std::string conversion_error(const Value& patch, View schema) {
  if (patch.is_null() || !schema.exists()) return {};
  if (const std::string_view type = missed_type(patch, schema); !type.empty()) {
    return fmt::format("cannot convert {} to {}", go_type(patch), type);
  }
  if (const json::object* map = patch.if_object()) {
    for (const auto& [name, value] : *map) {
      if (name.starts_with('$')) continue;
      const View known = schema.member("properties").member(name);
      if (auto error = conversion_error(value, known.exists() ? known : schema.member("additionalProperties"));
          !error.empty()) {
        return error;
      }
    }
  } else if (const json::array* list = patch.if_array()) {
    for (const Value& item : *list) {
      if (auto error = conversion_error(item, schema.member("items")); !error.empty()) return error;
    }
  }
  return {};
}

}  // namespace

StatusOr<void> check_strategic_types(const Value& patch, View schema) {
  const std::string error = conversion_error(patch, schema);
  if (error.empty()) return {};
  return refuse(about_patch(Value(go_text(patch)), error));
}

Unfit unfit_patch(const Value& patch, PatchKind kind) {
  if (kind == PatchKind::strategic) {
    return [text = go_text(patch)](const Value&, std::string_view why) { return about_patch(Value(text), why); };
  }
  return [](const Value& object, std::string_view why) { return about_patch(Value(json::print(object)), why); };
}

}  // namespace pintle::apiserver
