// Explain: what a kind or one of its fields is, as text for people, the way `kubectl explain` tells it.
#pragma once

#include <string>
#include <string_view>

#include <pintle/base/result.hpp>
#include <pintle/json/document.hpp>
#include <pintle/object/schema.hpp>

namespace pintle {

// Of any OpenAPI v3 schema. `path` is that of a field, "spec.rules.host", with nothing for lists and maps on the way;
// empty for the whole. Error: not_found, naming the part that is not there and what is.
[[nodiscard]] Result<std::string> explain(json::View openapi_v3_schema, std::string_view path = "");

// Of a described kind, under a line with its name and version.
template <Described T>
[[nodiscard]] Result<std::string> explain(std::string_view path = "") {
  const json::Document schema(schema_of<T>());
  auto text = explain(schema.root(), path);
  if (text) text->insert(0, GroupVersionKind(T::type).to_string() + "\n\n");
  return text;
}

}  // namespace pintle
