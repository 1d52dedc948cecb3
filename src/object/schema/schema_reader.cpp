// SPDX-License-Identifier: Apache-2.0
// Reads an OpenAPI schema into nodes.
#include "schema_node.hpp"

namespace pintle {

namespace {

class Reader {
 public:
  Reader(json::View schema, const std::string& path, std::vector<FieldError>& errors)
      : schema_(schema), path_(path), errors_(errors) {}

  std::unique_ptr<SchemaNode> read() {
    auto node = std::make_unique<SchemaNode>();
    if (!schema_.is_object()) {
      wrong("", "must be an object");
      return node;
    }
    read_type(*node);
    read_ranges(*node);
    read_pattern(*node);
    read_members(*node);
    read_list(*node);
    read_rules(*node);
    node->all_of = read_nodes("allOf");
    node->any_of = read_nodes("anyOf");
    node->one_of = read_nodes("oneOf");
    if (schema_.member("not").exists()) node->not_of = read_node("not");
    return node;
  }

 private:
  [[nodiscard]] std::string at(std::string_view name) const { return name.empty() ? path_ : child_path(path_, name); }

  void wrong(std::string_view name, std::string message) {
    errors_.push_back({"FieldValueInvalid", "Invalid value: " + std::move(message), at(name)});
  }

  std::string text(std::string_view name) {
    const json::View value = schema_.member(name);
    if (value.exists() && !value.is_string()) wrong(name, value.print() + ": must be a string");
    return std::string(value.text());
  }

  bool flag(std::string_view name) {
    const json::View value = schema_.member(name);
    if (value.exists() && !value.as_bool()) wrong(name, value.print() + ": must be a boolean");
    return value == true;
  }

  std::optional<Limit> number(std::string_view name) {
    const json::View value = schema_.member(name);
    if (!value.exists()) return std::nullopt;
    if (!value.as_double()) {
      wrong(name, value.print() + ": must be a number");
      return std::nullopt;
    }
    return Limit{number_of(value), number_text(value)};
  }

  std::optional<std::uint64_t> count(std::string_view name) {
    const json::View value = schema_.member(name);
    if (!value.exists()) return std::nullopt;
    const auto number = value.as_unsigned();
    if (!number) wrong(name, value.print() + ": must be an integer that is not negative");
    return number;
  }

  std::vector<std::string> texts(std::string_view name) {
    std::vector<std::string> all;
    for (const json::View value : schema_.member(name).elements()) {
      if (!value.is_string()) wrong(name, value.print() + ": must be a string");
      all.emplace_back(value.text());
    }
    return all;
  }

  void read_type(SchemaNode& node) {
    node.type = text("type");
    node.format = text("format");
    node.nullable = flag("nullable");
    node.int_or_string = flag("x-kubernetes-int-or-string");
    node.embedded = flag("x-kubernetes-embedded-resource");
    node.preserve_unknown = flag("x-kubernetes-preserve-unknown-fields");
    if (const json::View value = schema_.member("default"); value.exists() && !value.is_null())
      node.default_value = value.to_value();
    for (const json::View choice : schema_.member("enum").elements()) node.choices.push_back(choice.to_value());
  }

  void read_ranges(SchemaNode& node) {
    node.minimum = number("minimum");
    node.maximum = number("maximum");
    node.exclusive_minimum = flag("exclusiveMinimum");
    node.exclusive_maximum = flag("exclusiveMaximum");
    node.multiple_of = number("multipleOf");
    if (node.multiple_of && node.multiple_of->number <= Number{}) wrong("multipleOf", "must be greater than 0");
    node.min_length = count("minLength");
    node.max_length = count("maxLength");
    node.min_items = count("minItems");
    node.max_items = count("maxItems");
    node.min_properties = count("minProperties");
    node.max_properties = count("maxProperties");
  }

  void read_pattern(SchemaNode& node) {
    node.pattern_text = text("pattern");
    if (node.pattern_text.empty()) return;
    RE2::Options options;
    options.set_log_errors(false);
    node.pattern = std::make_unique<RE2>(node.pattern_text, options);
    if (node.pattern->ok()) return;
    wrong("pattern", json::print(json::Value(node.pattern_text)) +
                         ": must be a valid regular expression, but isn't: " + node.pattern->error());
    node.pattern.reset();
  }

  void read_members(SchemaNode& node) {
    for (const auto [name, schema] : schema_.member("properties").members()) {
      node.properties[std::string(name)] =
          read_schema(schema, at("properties") + "[" + std::string(name) + "]", errors_);
    }
    const json::View additional = schema_.member("additionalProperties");
    node.any_additional = additional == true;
    if (additional.exists() && !additional.as_bool()) node.additional = read_node("additionalProperties");
    node.required = texts("required");
    node.atomic_map = text("x-kubernetes-map-type") == "atomic";
  }

  void read_list(SchemaNode& node) {
    if (schema_.member("items").is_object()) {
      node.items = read_node("items");
    }
    node.list_keys = texts("x-kubernetes-list-map-keys");
    const std::string type = text("x-kubernetes-list-type");
    if (type == "set") {
      node.list_type = SchemaNode::ListType::set;
    } else if (type == "map") {
      node.list_type = SchemaNode::ListType::map;
    }
  }

  void read_rules(SchemaNode& node) {
    for (const json::View entry : schema_.member("x-kubernetes-validations").elements()) {
      ValidationRule rule{.rule = std::string(entry.member("rule").text()),
                          .message = std::string(entry.member("message").text()),
                          .message_expression = std::string(entry.member("messageExpression").text()),
                          .field_path = std::string(entry.member("fieldPath").text()),
                          .optional_old_self = entry.member("optionalOldSelf").as_bool()};
      if (const json::View reason = entry.member("reason"); reason.is_string()) rule.reason = reason.text();
      node.rules.push_back(std::move(rule));
    }
  }

  std::unique_ptr<SchemaNode> read_node(std::string_view name) {
    return read_schema(schema_.member(name), at(name), errors_);
  }

  std::vector<std::unique_ptr<SchemaNode>> read_nodes(std::string_view name) {
    std::vector<std::unique_ptr<SchemaNode>> nodes;
    for (const json::View schema : schema_.member(name).elements()) {
      nodes.push_back(read_schema(schema, at(name) + "[" + std::to_string(nodes.size()) + "]", errors_));
    }
    return nodes;
  }

  json::View schema_;
  const std::string& path_;
  std::vector<FieldError>& errors_;
};

}  // namespace

std::unique_ptr<SchemaNode> read_schema(json::View schema, const std::string& path, std::vector<FieldError>& errors) {
  return Reader(schema, path, errors).read();
}

}  // namespace pintle
