#include <pintle/object/schema.hpp>

namespace pintle::described {
namespace {

json::Value number_of(const Bound& bound) {
  return bound.is_integer ? json::Value(bound.integer) : json::Value(bound.number);
}

void describe(json::object& schema, std::string_view description, std::string_view deprecated) {
  std::string text(description);
  if (!deprecated.empty()) text += (text.empty() ? "Deprecated: " : " Deprecated: ") + std::string(deprecated);
  if (!text.empty()) schema["description"] = text;
}

void add_rules(json::object& schema, const Member& member) {
  const FieldRules& rules = *member.rules;
  if (rules.minimum) schema["minimum"] = number_of(*rules.minimum);
  if (rules.maximum) schema["maximum"] = number_of(*rules.maximum);
  if (rules.min_length) schema["minLength"] = *rules.min_length;
  if (rules.max_length) schema["maxLength"] = *rules.max_length;
  if (!rules.pattern.empty()) schema["pattern"] = rules.pattern;
  if (member.choices.empty()) return;
  json::array choices;
  for (const std::string_view choice : member.choices) choices.emplace_back(choice);
  schema["enum"] = std::move(choices);
}

// The initializer of a member is its default when it says more than its type does.
void add_default(json::object& schema, const Member& member, const void* fresh) {
  const void* held = member.in(fresh);
  if (member.type->is_left_out(held)) return;
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

void add_properties(json::object& schema, std::span<const Member> members, const void* fresh) {
  json::object properties;
  json::array required;
  for (const Member& member : members) {
    properties[member.name] = member_schema(member, fresh);
    if (member.rules->required) required.emplace_back(member.name);
  }
  for (auto& property : properties) schema["properties"].as_object()[property.key()] = std::move(property.value());
  if (!required.empty()) schema["required"] = std::move(required);
}

bool has_required(const json::object& schema) { return schema.contains("required"); }

}  // namespace

json::object integer_schema(IntegerRange range) {
  constexpr auto highest_int32 = static_cast<std::uint64_t>(std::numeric_limits<std::int32_t>::max());
  constexpr auto lowest_int32 = static_cast<std::int64_t>(std::numeric_limits<std::int32_t>::min());
  const bool is_narrow = range.highest <= highest_int32;
  json::object schema{{"type", "integer"}, {"format", is_narrow ? "int32" : "int64"}};
  // The format says the range of the two usual widths; the others say theirs.
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

json::object list_schema(const ValueType& element) {
  json::object schema{{"type", "array"}};
  schema["items"] = element.schema();
  return schema;
}

void make_list_map(json::object& list, std::string_view key) {
  list["x-kubernetes-list-type"] = "map";
  list["x-kubernetes-list-map-keys"] = json::array{key};
}

json::object map_schema(const ValueType& entry) {
  json::object schema{{"type", "object"}};
  schema["additionalProperties"] = entry.schema();
  return schema;
}

json::object struct_schema(std::span<const Member> members, const void* fresh) {
  json::object schema{{"type", "object"}};
  schema["properties"].emplace_object();
  add_properties(schema, members, fresh);
  return schema;
}

json::Value kind_schema(std::span<const Member> members, const void* fresh, std::string_view description) {
  json::object schema;
  describe(schema, description, {});
  schema["type"] = "object";
  json::object& properties = schema["properties"].emplace_object();
  for (const char* name : {"apiVersion", "kind"}) properties[name] = json::object{{"type", "string"}};
  properties["metadata"] = json::object{{"type", "object"}};
  add_properties(schema, members, fresh);
  // Kubernetes asks for what is required inside spec only where there is a spec. Its default would be that of no field.
  json::Value* spec = schema["properties"].as_object().if_contains("spec");
  if (spec != nullptr) {
    spec->as_object().erase("default");
    if (has_required(spec->as_object()) && !schema.contains("required")) schema["required"] = json::array{"spec"};
  }
  return schema;
}

}  // namespace pintle::described
