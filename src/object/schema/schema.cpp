// SPDX-License-Identifier: Apache-2.0
#include <pintle/object/schema/schema.hpp>

#include <algorithm>

#include "cel.hpp"

namespace pintle::internal {
namespace {

json::Value bound_value(const Bound& bound) {
  return bound.is_integer ? json::Value(bound.integer) : json::Value(bound.number);
}

json::Value literal_value(const Literal& literal) {
  switch (literal.kind) {
    case Literal::Kind::none: break;
    case Literal::Kind::boolean: return literal.flag;
    case Literal::Kind::number: return bound_value(literal.number);
    case Literal::Kind::text: return json::Value(literal.text);
    // Text that is not JSON stays a string. validate_crd() reports it if it does not fit the schema.
    case Literal::Kind::json: return json::parse(literal.text).value_or(json::Value(literal.text));
  }
  return nullptr;
}

void describe(json::object& schema, std::string_view description, std::string_view deprecated) {
  std::string text(description);
  if (!deprecated.empty()) text += (text.empty() ? "Deprecated: " : " Deprecated: ") + std::string(deprecated);
  if (!text.empty()) schema["description"] = text;
}

void add_value_rules(json::object& schema, const ValueRules& rules) {
  const bool is_map = schema.contains("additionalProperties");
  if (rules.minimum) schema["minimum"] = bound_value(*rules.minimum);
  if (rules.maximum) schema["maximum"] = bound_value(*rules.maximum);
  if (rules.multiple_of) schema["multipleOf"] = bound_value(*rules.multiple_of);
  if (rules.min_length) schema["minLength"] = *rules.min_length;
  if (rules.max_length) schema["maxLength"] = *rules.max_length;
  if (!rules.pattern.empty()) schema["pattern"] = rules.pattern;
  if (rules.min_items) schema[is_map ? "minProperties" : "minItems"] = *rules.min_items;
  if (rules.max_items) schema[is_map ? "maxProperties" : "maxItems"] = *rules.max_items;
}

void add_sharing(json::object& schema, const FieldRules& rules) {
  switch (rules.merge_strategy) {
    case MergeStrategy::unspecified: break;
    case MergeStrategy::atomic:
      schema[schema.contains("items") ? "x-kubernetes-list-type" : "x-kubernetes-map-type"] = "atomic";
      schema.erase("x-kubernetes-list-map-keys");
      break;
    case MergeStrategy::set: schema["x-kubernetes-list-type"] = "set"; break;
    case MergeStrategy::map: make_list_map(schema, rules.keys); break;
  }
}

void add_cel(json::object& schema, const CelRule& rule) {
  json::object entry{{"rule", rule.rule}};
  if (!rule.message.empty()) entry["message"] = rule.message;
  if (!rule.message_expression.empty()) entry["messageExpression"] = rule.message_expression;
  if (!rule.reason.empty()) entry["reason"] = rule.reason;
  if (!rule.field_path.empty()) entry["fieldPath"] = rule.field_path;
  json::Value& rules = schema["x-kubernetes-validations"];
  if (!rules.is_array()) rules.emplace_array();
  rules.as_array().emplace_back(std::move(entry));
}

void add_rules(json::object& schema, const Member& member) {
  const FieldRules& rules = *member.rules;
  add_value_rules(schema, rules.value);
  for (const char* elements : {"items", "additionalProperties"}) {
    if (json::Value* of_elements = schema.if_contains(elements)) add_value_rules(of_elements->as_object(), rules.items);
  }
  add_sharing(schema, rules);
  if (rules.nullable) schema["nullable"] = true;
  for (const CelRule& rule : member.cel) add_cel(schema, rule);
  if (rules.immutable) add_cel(schema, {.rule = cel_same, .message = "must not change"});
  if (member.choices.empty()) return;
  json::array choices;
  for (const std::string_view choice : member.choices) choices.emplace_back(choice);
  schema["enum"] = std::move(choices);
}

// Adds the declared default. Without one, adds the initial value of the member if it differs from the initial value of
// its type.
void add_default(json::object& schema, const Member& member, const void* fresh) {
  const void* held = member.in(fresh);
  if (member.rules->default_value.kind != Literal::Kind::none) {
    schema["default"] = literal_value(member.rules->default_value);
    return;
  }
  if (member.one_of != nullptr || member.type->is_left_out(held)) return;
  json::Value initial = member.type->write(held);
  if (member.type->fresh() != initial) schema["default"] = std::move(initial);
}

json::object member_schema(const Member& member, const void* fresh) {
  json::object schema = member.type->schema();
  describe(schema, member.description, member.rules->deprecated);
  add_rules(schema, member);
  add_default(schema, member, fresh);
  return schema;
}

// Adds a rule to the object that contains the member, because a rule on the member itself is not evaluated when the
// member is removed.
void keep_immutable(json::object& schema, const Member& member) {
  const std::string name = cel_name(member.name);
  const std::string rule = cel_stays(name);
  // The server accepts only plain names after a dot.
  const bool is_plain = name == member.name || name.starts_with("__");
  const std::string path = is_plain ? "." + std::string(member.name) : "['" + std::string(member.name) + "']";
  add_cel(schema, {.rule = rule, .message = "must not be removed", .field_path = path});
}

// Exactly one of the members must be set: each alternative requires one of them.
json::object one_of_schema(std::span<const Member> alternatives) {
  json::array each;
  for (const Member& member : alternatives) each.emplace_back(json::object{{"required", json::array{member.name}}});
  json::object schema;
  if (alternatives.front().one_of->may_be_none) {
    json::object none;
    none["not"].emplace_object()["anyOf"] = each;
    each.emplace_back(std::move(none));
  }
  schema["oneOf"] = std::move(each);
  return schema;
}

void add_unions(json::object& schema, std::span<const Member> members) {
  json::array unions;
  for (auto rest = members; !rest.empty();) {
    const std::span<const Member> alternatives = take_union(rest);
    if (!alternatives.empty()) unions.emplace_back(one_of_schema(alternatives));
  }
  if (unions.size() == 1) {
    schema["oneOf"] = std::move(unions[0].as_object()["oneOf"]);
  } else if (!unions.empty()) {
    schema["allOf"] = std::move(unions);
  }
}

void add_properties(json::object& schema, const Layout& layout, const void* fresh) {
  json::array required;
  for (const Member& member : layout.members) {
    json::object property = member_schema(member, fresh);
    const bool goes_with_default = property.contains("default");
    schema["properties"].as_object()[member.name] = std::move(property);
    if (member.rules->required) required.emplace_back(member.name);
    if (member.rules->immutable && !member.rules->required && !goes_with_default) keep_immutable(schema, member);
  }
  if (!required.empty()) schema["required"] = std::move(required);
  if (layout.unknown != nullptr) schema["x-kubernetes-preserve-unknown-fields"] = true;
  add_unions(schema, layout.members);
  for (const CelRule& rule : layout.rules) add_cel(schema, rule);
}

// Sets the default of a key as described at make_list_map(). Any other optional key without a default is an error of
// the CRD.
void make_key(json::object& element, std::string_view key) {
  json::Value* properties = element.if_contains("properties");
  json::Value* property = properties == nullptr ? nullptr : properties->as_object().if_contains(key);
  if (property == nullptr) return;
  json::object& schema = property->as_object();
  json::Value* required = element.if_contains("required");
  const auto is_key = [key](const json::Value& name) { return name.is_string() && name.as_string() == key; };
  if (required != nullptr && std::any_of(required->as_array().begin(), required->as_array().end(), is_key)) return;
  if (schema.contains("default")) return;
  const json::Value* choices = schema.if_contains("enum");
  const auto is_tcp = [](const json::Value& choice) { return choice.is_string() && choice.as_string() == "TCP"; };
  if (choices != nullptr && std::any_of(choices->as_array().begin(), choices->as_array().end(), is_tcp)) {
    schema["default"] = "TCP";
  } else if (choices == nullptr && schema["type"] == "string" && key == "name") {
    schema["default"] = "";
  }
}

bool has_required(const json::object& schema) { return schema.contains("required"); }

}  // namespace

json::object integer_schema(IntegerRange range) {
  constexpr auto highest_int32 = static_cast<std::uint64_t>(std::numeric_limits<std::int32_t>::max());
  constexpr auto lowest_int32 = static_cast<std::int64_t>(std::numeric_limits<std::int32_t>::min());
  const bool is_narrow = range.highest <= highest_int32;
  json::object schema{{"type", "integer"}, {"format", is_narrow ? "int32" : "int64"}};
  // The format defines the range of int32 and int64; other types declare minimum and maximum.
  if (range.lowest == 0 || (is_narrow && range.lowest != lowest_int32)) schema["minimum"] = range.lowest;
  const bool is_usual = range.highest == highest_int32 ||
                        range.highest >= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (!is_usual) schema["maximum"] = range.highest;
  return schema;
}

json::object enum_schema(std::span<const EnumName> names) {
  json::array values;
  for (const EnumName& entry : names) values.emplace_back(entry.name);
  json::object schema{{"type", "string"}};
  schema["enum"] = std::move(values);
  return schema;
}

json::object metadata_schema() {
  const json::object text{{"type", "string"}};
  json::object texts{{"type", "object"}};
  texts["additionalProperties"] = text;
  json::object finalizers{{"type", "array"}, {"x-kubernetes-list-type", "set"}};
  finalizers["items"] = text;
  json::object schema{{"type", "object"}};
  json::object& properties = schema["properties"].emplace_object();
  properties["annotations"] = texts;
  properties["finalizers"] = std::move(finalizers);
  properties["labels"] = std::move(texts);
  properties["name"] = text;
  properties["namespace"] = text;
  return schema;
}

json::object list_schema(const ValueType& element) {
  json::object schema{{"type", "array"}};
  schema["items"] = element.schema();
  return schema;
}

void make_list_map(json::object& list, std::span<const std::string_view> keys) {
  json::array names;
  for (const std::string_view key : keys) {
    if (key.empty()) continue;
    names.emplace_back(key);
    make_key(list["items"].as_object(), key);
  }
  list["x-kubernetes-list-type"] = "map";
  list["x-kubernetes-list-map-keys"] = std::move(names);
}

json::object map_schema(const ValueType& entry) {
  json::object schema{{"type", "object"}};
  schema["additionalProperties"] = entry.schema();
  return schema;
}

json::object struct_schema(const Layout& layout, const void* fresh) {
  json::object schema{{"type", "object"}};
  schema["properties"].emplace_object();
  add_properties(schema, layout, fresh);
  return schema;
}

json::object nested_kind_schema(const Layout& layout, const void* fresh) {
  json::object schema = struct_schema(layout, fresh);
  json::object& properties = schema["properties"].as_object();
  for (const char* name : {"apiVersion", "kind"}) properties[name] = json::object{{"type", "string"}};
  properties["metadata"] = metadata_schema();
  return schema;
}

json::Value kind_schema(const Layout& layout, const void* fresh, std::string_view description) {
  json::object schema;
  describe(schema, description, {});
  schema["type"] = "object";
  json::object& properties = schema["properties"].emplace_object();
  for (const char* name : {"apiVersion", "kind"}) properties[name] = json::object{{"type", "string"}};
  properties["metadata"] = json::object{{"type", "object"}};
  add_properties(schema, layout, fresh);
  // Kubernetes checks the required fields of spec only if the object has a spec. A default of the whole spec is
  // removed, because it is not the default of a field.
  json::Value* spec = schema["properties"].as_object().if_contains("spec");
  if (spec != nullptr) {
    spec->as_object().erase("default");
    if (has_required(spec->as_object()) && !schema.contains("required")) schema["required"] = json::array{"spec"};
  }
  return schema;
}

}  // namespace pintle::internal
