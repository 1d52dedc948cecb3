// SPDX-License-Identifier: Apache-2.0
#include "patch_types.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <pintle/json/pointer.hpp>

namespace pintle::apiserver {
namespace {

using cel::Type;

Result<cel::Value> escape_key(std::span<const cel::Value> arguments) {
  return cel::Value::string(json::escape_token(*arguments[0].as_string()));
}

// Compares the names of the object types in a value with the path of each object: `Object.spec` for the member spec.
// Lists and maps between them have no names.
Result<void> check_type_names(const cel::Value& value, const std::string& path) {
  if (const cel::List* list = value.as_list()) {
    for (std::size_t i = 0; i < list->size(); ++i) {
      if (auto fits = check_type_names(list->at(i), path); !fits) return fits;
    }
    return {};
  }
  const cel::Map* map = value.as_map();
  if (map == nullptr) return {};
  const Type type = map->type();
  if (type.is_open() && type.name() != path) {
    return fail(ErrorCode::invalid,
                fmt::format("type mismatch: unexpected type name \"{}\", expected \"{}\", which matches field name "
                            "path from root Object type",
                            type.name(), path));
  }
  for (std::size_t i = 0; i < map->size(); ++i) {
    const cel::Value key = map->key_at(i);
    auto member = map->find(key);
    if (!member) return fail(std::move(member.error()));
    const auto name = key.as_string().value_or("");
    const std::string below = type.is_open() ? fmt::format("{}.{}", path, name) : path;
    if (auto fits = check_type_names(member->value_or(cel::Value()), below); !fits) return fits;
  }
  return {};
}

// Returns a member of a JSONPatch; nothing if the expression does not set it.
Result<std::optional<cel::Value>> member_of(const cel::Map& patch, std::string_view name) {
  return patch.find(cel::Value::borrowed_string(name));
}

Result<json::Value> operation_to_json(const cel::Value& operation) {
  const cel::Map* map = operation.as_map();
  if (map == nullptr) {
    return fail(ErrorCode::invalid, "type mismatch: JSONPatchType.expression should evaluate to array of JSONPatch");
  }
  json::object out;
  for (const char* name : {"op", "path", "from"}) {
    auto text = member_of(*map, name);
    if (!text) return fail(std::move(text.error()));
    const auto given = *text ? (*text)->as_string() : std::nullopt;
    if (given || std::string_view(name) != "from") out[name] = given.value_or("");
  }
  auto value = member_of(*map, "value");
  if (!value) return fail(std::move(value.error()));
  if (!*value) return out;
  // The root of an object in a patch may have any place.
  const cel::Map* object = (*value)->as_map();
  const bool has_name = object != nullptr && object->type().is_open();
  if (auto fits = check_type_names(**value, has_name ? std::string(object->type().name()) : "Object"); !fits) {
    return fail(std::move(fits.error()));
  }
  auto json = (*value)->to_json();
  if (!json) {
    return fail(ErrorCode::invalid,
                fmt::format("JSONPath valueExpression evaluated to a type that could not marshal to JSON: {}",
                            json.error().message));
  }
  out["value"] = std::move(*json);
  return out;
}

}  // namespace

Type object_type() { return Type::open_object("Object"); }

Type json_patch_type() {
  return Type::object("JSONPatch", {{.name = "op", .type = Type::string()},
                                    {.name = "path", .type = Type::string()},
                                    {.name = "from", .type = Type::string()},
                                    {.name = "value", .type = Type::dyn()}});
}

cel::Library patch_library() {
  return {.functions = {{.name = "jsonpatch.escapeKey",
                         .overloads = {{.parameters = {Type::string()},
                                        .result = Type::string(),
                                        .function = escape_key,
                                        .cost =
                                            [](std::span<const cel::Value> arguments, const cel::Value&) {
                                              constexpr std::size_t bytes_per_unit = 10;
                                              return 1 + arguments[0].as_string()->size() / bytes_per_unit;
                                            }}}}},
          .types = {object_type(), json_patch_type()}};
}

Result<json::Value> object_to_json(const cel::Value& object) {
  if (auto fits = check_type_names(object, "Object"); !fits) return fail(std::move(fits.error()));
  return object.to_json();
}

Result<json::array> patch_to_json(const cel::Value& patch) {
  json::array out;
  const cel::List* list = patch.as_list();
  for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
    auto operation = operation_to_json(list->at(i));
    if (!operation) return fail(std::move(operation.error()));
    out.push_back(std::move(*operation));
  }
  return out;
}

}  // namespace pintle::apiserver
