// SPDX-License-Identifier: Apache-2.0
#include "published_type.hpp"

#include <utility>
#include <vector>

#include <fmt/format.h>

#include "schema_type.hpp"

namespace pintle::apiserver {
namespace {

using cel::Type;
using json::View;

Type type_of_text(std::string_view format) {
  if (format == "date-time" || format == "micro-time" || format == "date") return Type::timestamp();
  if (format == "bytes" || format == "byte") return Type::bytes();
  return format == "duration" ? Type::duration() : Type::string();
}

Type type_of_members(View schema, const std::string& name) {
  std::vector<cel::Field> fields;
  for (const auto [member, member_schema] : schema.member("properties").members()) {
    auto known = property_name(member);
    if (!known) continue;
    fields.push_back({.name = std::move(*known),
                      .type = published_type(member_schema, fmt::format("{}.{}", name, member)),
                      .json_name = std::string(member)});
  }
  return Type::object(name, std::move(fields));
}

}  // namespace

Type published_type(View schema, const std::string& name) {
  const std::string_view type = schema.member("type").text();
  const std::string_view format = schema.member("format").text();
  const bool keeps_unknown = schema.member("x-kubernetes-preserve-unknown-fields") == true;
  if (schema.member("x-kubernetes-int-or-string") == true || format == "int-or-string" || keeps_unknown) {
    return Type::dyn();
  }
  if (type == "string") return type_of_text(format);
  if (type == "integer") return Type::integer();
  if (type == "number") return Type::number();
  if (type == "boolean") return Type::boolean();
  if (type == "array") return Type::list(published_type(schema.member("items"), name + ".@items"));
  if (type != "object") return Type::dyn();
  if (const View others = schema.member("additionalProperties"); others.is_object()) {
    return Type::map(Type::string(), published_type(others, name + ".@values"));
  }
  return schema.member("properties").exists() ? type_of_members(schema, name) : Type::dyn();
}

}  // namespace pintle::apiserver
