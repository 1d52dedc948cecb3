// SPDX-License-Identifier: Apache-2.0
#include "schema_type.hpp"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "object/schema/cel.hpp"

namespace pintle::apiserver {
namespace {

using cel::Type;

constexpr std::uint64_t max_request = std::uint64_t{3} * 1024 * 1024;
constexpr std::uint64_t longest_time = 32;  // of a duration, and of a date with a time
constexpr std::uint64_t date_size = 12;     // in quotes
constexpr std::uint64_t shortest_date_time = 21;
constexpr std::uint64_t shortest_duration = 3;
constexpr std::uint64_t empty_size = 2;  // "", [] and {}
constexpr std::uint64_t shortest_boolean = 4;
constexpr std::uint64_t bytes_per_character = 4;

SchemaTypePtr simple(Type type, std::uint64_t min_json, std::uint64_t max_size = 0) {
  return std::make_shared<SchemaType>(SchemaType{.type = std::move(type), .max_size = max_size, .min_json = min_json});
}

std::uint64_t longest_choice(const SchemaNode& node) {
  std::uint64_t longest = 0;
  for (const json::Value& choice : node.choices) {
    if (choice.is_string()) longest = std::max<std::uint64_t>(longest, choice.get_string().size());
  }
  return longest;
}

std::uint64_t longest_text(const SchemaNode& node) {
  return node.max_length ? *node.max_length * bytes_per_character : max_request - 2;
}

SchemaTypePtr text_type(const SchemaNode& node) {
  if (node.format == "byte") return simple(Type::bytes(), empty_size, node.max_length.value_or(max_request - 2));
  if (node.format == "duration") return simple(Type::duration(), shortest_duration, longest_time);
  if (node.format == "date") return simple(Type::timestamp(), date_size, date_size);
  if (node.format == "date-time") return simple(Type::timestamp(), shortest_date_time, longest_time);
  if (!node.max_length && !node.choices.empty()) return simple(Type::string(), empty_size, longest_choice(node));
  return simple(Type::string(), empty_size, longest_text(node));
}

// The keys of a list map by their names in CEL; those of a set are none.
cel::ListKeys keys_of(const SchemaNode& node) {
  cel::ListKeys keys;
  if (node.list_type != SchemaNode::ListType::map) return keys;
  for (const std::string& key : node.list_keys) keys.names.push_back(property_name(key).value_or(key));
  return keys;
}

SchemaTypePtr list_type(const SchemaNode& node, const std::string& name) {
  if (node.items == nullptr) return nullptr;
  auto items = schema_type(*node.items, name + ".@idx", node.items->embedded);
  if (items == nullptr) return nullptr;
  const auto most = node.max_items.value_or((max_request - 2) / (items->min_json + 1));
  const bool has_keys = node.list_type != SchemaNode::ListType::atomic;
  auto type = has_keys ? Type::list(items->type, keys_of(node)) : Type::list(items->type);
  return std::make_shared<SchemaType>(
      SchemaType{.type = std::move(type), .max_size = most, .min_json = empty_size, .elements = std::move(items)});
}

SchemaTypePtr map_type(const SchemaNode& node, const std::string& name) {
  auto values = schema_type(*node.additional, name + ".@elem", node.additional->embedded);
  if (values == nullptr) return nullptr;
  const auto most = node.max_properties.value_or((max_request - 2) / (values->min_json + 6));
  auto type = Type::map(Type::string(), values->type);
  return std::make_shared<SchemaType>(
      SchemaType{.type = std::move(type), .max_size = most, .min_json = empty_size, .elements = std::move(values)});
}

// Collects the fields of an object.
class ObjectBuilder {
 public:
  explicit ObjectBuilder(std::string name) noexcept : name_(std::move(name)) {}

  void add(const std::string& property, SchemaTypePtr type) {
    const auto name = property_name(property);
    if (!name) return;
    fields_.push_back({.name = *name, .type = type->type, .json_name = *name == property ? "" : property});
    // A reserved word may also be written as it is.
    if (*name == "__" + property + "__") fields_.push_back({.name = property, .type = type->type});
    out_.fields.insert_or_assign(*name, std::move(type));
  }
  void add_required(const std::string& property, std::uint64_t min_json) {
    out_.min_json += property.size() + min_json + 4;
  }
  [[nodiscard]] const std::string& name() const noexcept { return name_; }

  SchemaTypePtr finish() {
    out_.type = Type::object(name_, std::move(fields_));
    return std::make_shared<SchemaType>(std::move(out_));
  }

 private:
  std::string name_;
  std::vector<cel::Field> fields_{};
  SchemaType out_{.min_json = empty_size};
};

bool has_type(const SchemaNode* node, std::string_view type) { return node != nullptr && node->type == type; }

// Whether the schema declares the members that every resource has.
bool declares_metadata(const SchemaNode& node) {
  const auto* metadata = node.member("metadata");
  return has_type(node.member("kind"), "string") && has_type(node.member("apiVersion"), "string") &&
         has_type(metadata, "object") && has_type(metadata->member("name"), "string") &&
         has_type(metadata->member("generateName"), "string");
}

void add_metadata(ObjectBuilder& object) {
  const auto text = [] { return simple(Type::string(), empty_size, max_request - 2); };
  object.add("kind", text());
  object.add("apiVersion", text());
  ObjectBuilder metadata(object.name() + ".metadata");
  metadata.add("name", text());
  metadata.add("generateName", text());
  object.add("metadata", metadata.finish());
}

SchemaTypePtr object_type(const SchemaNode& node, const std::string& name, bool is_resource) {
  if (node.additional != nullptr && !is_resource) return map_type(node, name);
  ObjectBuilder object(name);
  const bool adds_metadata = is_resource && !declares_metadata(node);
  for (const auto& [property, schema] : node.properties) {
    const bool is_replaced = property == "kind" || property == "apiVersion" || property == "metadata";
    if (adds_metadata && is_replaced) continue;
    auto type = schema_type(*schema, name + "." + property, schema->embedded);
    if (type == nullptr) continue;
    const bool is_required = std::ranges::find(node.required, property) != node.required.end();
    if (is_required && !schema->default_value) object.add_required(property, type->min_json);
    object.add(property, std::move(type));
  }
  if (adds_metadata) add_metadata(object);
  return object.finish();
}

}  // namespace

std::optional<std::string> property_name(std::string_view name) {
  const auto is_supported = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
           c == '-' || c == '/';
  };
  if (name.empty() || (name.front() >= '0' && name.front() <= '9')) return std::nullopt;
  if (!std::ranges::all_of(name, is_supported)) return std::nullopt;
  return cel_name(name);
}

SchemaTypePtr schema_type(const SchemaNode& node, const std::string& name, bool is_resource) {
  if (node.int_or_string) return simple(Type::dyn(), 1, longest_text(node));
  if (node.type == "array") return list_type(node, name);
  if (node.type == "object") return object_type(node, name, is_resource);
  if (node.type == "string") return text_type(node);
  if (node.type == "boolean") return simple(Type::boolean(), shortest_boolean);
  if (node.type == "number") return simple(Type::number(), 1);
  if (node.type == "integer") return simple(Type::integer(), 1);
  return nullptr;
}

std::optional<std::uint64_t> SchemaType::max_size_at(std::span<const std::string> path) const {
  const SchemaType* at = this;
  for (const std::string& name : path.subspan(std::min<std::size_t>(1, path.size()))) {
    if (name == "@keys") return at->type.kind() == Type::Kind::map ? std::optional<std::uint64_t>(0) : std::nullopt;
    const auto field = at->fields.find(name);
    const bool is_element = name == "@items" || name == "@values";
    if (!is_element && field == at->fields.end()) return std::nullopt;
    at = is_element ? at->elements.get() : field->second.get();
    if (at == nullptr) return std::nullopt;
  }
  return at->max_size;
}

std::uint64_t SchemaType::most_occurrences() const noexcept { return max_request / (min_json + 1); }

}  // namespace pintle::apiserver
