// SPDX-License-Identifier: Apache-2.0
// explain(): describes a kind or one of its fields as text for people, as `kubectl explain` does.
#pragma once

#include <string>
#include <string_view>

#include <pintle/base/annotations.hpp>
#include <pintle/base/result.hpp>
#include <pintle/json/document.hpp>
#include <pintle/object/schema/schema.hpp>

namespace pintle {

/// Describes an OpenAPI v3 schema, or one of its fields if `path` is not empty. A path such as "spec.rules.host"
/// consists only of the names of fields, without indices of lists and keys of maps. Error: not_found; the message names
/// the part that does not exist and the existing fields.
[[nodiscard]] PINTLE_EXPORT Result<std::string> explain(json::View openapi_v3_schema, std::string_view path = "");

/// Describes the kind of a described struct. The first line contains the API version and the name of the kind.
template <Described T>
[[nodiscard]] Result<std::string> explain(std::string_view path = "") {
  const json::Document schema(schema_of<T>());
  auto text = explain(schema.root(), path);
  if (text) text->insert(0, GroupVersionKind(T::type).to_string() + "\n\n");
  return text;
}

}  // namespace pintle
