// SPDX-License-Identifier: Apache-2.0
#include <pintle/object/schema/structural.hpp>

#include <algorithm>
#include <utility>

#include <pintle/base/utf8.hpp>

#include "json/edit/erase_members.hpp"
#include "schema_node.hpp"

namespace pintle {
namespace {

constexpr std::size_t max_pruned_paths = 100;  // as many as kube-apiserver reports

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The natural order of paths: "a[2]" comes before "a[10]".
bool comes_before(std::string_view a, std::string_view b) {
  while (!a.empty() && !b.empty()) {
    std::size_t length_a = 0;
    std::size_t length_b = 0;
    while (length_a < a.size() && is_digit(a[length_a])) ++length_a;
    while (length_b < b.size() && is_digit(b[length_b])) ++length_b;
    if (length_a > 0 && length_b > 0) {
      if (length_a != length_b) return length_a < length_b;
      if (const int order = a.substr(0, length_a).compare(b.substr(0, length_b)); order != 0) return order < 0;
      a.remove_prefix(length_a);
      b.remove_prefix(length_b);
    } else {
      if (a.front() != b.front()) return a.front() < b.front();
      a.remove_prefix(1);
      b.remove_prefix(1);
    }
  }
  return a.empty() && !b.empty();
}

bool replaces_null(const SchemaNode& node, const json::Value& value) {
  return value.is_null() && !node.nullable && node.default_value.has_value();
}

void default_members(const SchemaNode& node, json::object& members) {
  std::vector<std::size_t> gone;
  std::size_t index = 0;
  for (const auto& member : members) {
    const SchemaNode* of_member = node.member(std::string_view(member.key()));
    const bool stays =
        of_member == nullptr || !member.value().is_null() || of_member->nullable || of_member->default_value;
    if (!stays) gone.push_back(index);
    ++index;
  }
  json::erase_members(members, gone);
  for (const auto& [name, property] : node.properties) {
    if (!property->default_value) continue;
    json::Value& value = members.emplace(name, *property->default_value).first->value();
    if (replaces_null(*property, value)) value = *property->default_value;
  }
  for (auto& member : members) {
    const SchemaNode* of_member = node.member(std::string_view(member.key()));
    if (of_member == nullptr) continue;
    if (replaces_null(*of_member, member.value())) member.value() = *of_member->default_value;
    default_node(*of_member, member.value());
  }
}

bool is_meta(std::string_view name) { return name == "apiVersion" || name == "kind" || name == "metadata"; }

class Pruner {
 public:
  // One step below the path `above`; null: the value is the whole one. Printed only if a member is removed.
  struct Step {
    const Step* above = nullptr;
    std::string_view name{};
    std::size_t index = 0;
    bool is_item = false;
  };

  explicit Pruner(std::vector<std::string>& pruned) : pruned_(pruned) {}

  void prune(const SchemaNode& node, json::Value& value, const Step* path, bool keeps_meta) {
    if (auto* elements = value.if_array(); elements != nullptr && node.items != nullptr) {
      for (std::size_t i = 0; i < elements->size(); ++i) {
        const Step below{.above = path, .index = i, .is_item = true};
        prune(*node.items, (*elements)[i], &below, node.items->embedded);
      }
    } else if (auto* members = value.if_object()) {
      prune_members(node, *members, path, keeps_meta);
    }
  }

 private:
  void prune_members(const SchemaNode& node, json::object& members, const Step* path, bool keeps_meta) {
    std::vector<std::size_t> gone;
    std::size_t index = 0;
    for (auto& member : members) {
      const std::string_view name = member.key();
      const Step below{.above = path, .name = name};
      const SchemaNode* of_member = node.member(name);
      const bool stays = keeps_meta && is_meta(name);
      if (of_member != nullptr && !stays) prune(*of_member, member.value(), &below, of_member->embedded);
      if (of_member == nullptr && !stays && !node.preserve_unknown && !node.any_additional) {
        gone.push_back(index);
        if (pruned_.size() < max_pruned_paths) pruned_.push_back(print(below));
      }
      ++index;
    }
    json::erase_members(members, gone);
  }

  static std::string print(const Step& step) {
    const std::string above = step.above == nullptr ? std::string() : print(*step.above);
    return step.is_item ? above + "[" + std::to_string(step.index) + "]" : child_path(above, step.name);
  }

  std::vector<std::string>& pruned_;
};

}  // namespace

// An object can have very many members, all below a very long name, so a path has a limit.
std::string child_path(const std::string& path, std::string_view name) {
  constexpr std::size_t max_path = 1024;
  std::string out = path.empty() ? std::string(name) : path + "." + std::string(name);
  if (out.size() <= max_path) return out;
  out.resize(truncate_utf8(out, max_path).size());
  return out + "...";
}

void default_node(const SchemaNode& node, json::Value& value) {
  if (auto* members = value.if_object()) {
    default_members(node, *members);
  } else if (auto* elements = value.if_array(); elements != nullptr && node.items != nullptr) {
    for (json::Value& element : *elements) {
      if (replaces_null(*node.items, element)) element = *node.items->default_value;
      default_node(*node.items, element);
    }
  }
}

void prune_node(const SchemaNode& node, json::Value& value, bool keeps_meta, std::vector<std::string>& pruned) {
  Pruner(pruned).prune(node, value, nullptr, keeps_meta);
}

std::string describe(std::span<const FieldError> errors) {
  std::string text;
  for (const FieldError& error : errors) {
    text += (text.empty() ? "" : ", ") + (error.field.empty() ? "" : error.field + ": ") + error.message;
  }
  return errors.size() > 1 ? "[" + text + "]" : text;
}

Result<StructuralSchema> StructuralSchema::parse(json::View openapi_v3_schema, std::string_view root) {
  std::vector<FieldError> errors;
  const std::string path(root);
  std::shared_ptr<const SchemaNode> node = read_schema(openapi_v3_schema, path, errors);
  if (errors.empty()) check_schema(openapi_v3_schema, *node, path, errors);
  if (errors.empty()) return StructuralSchema(std::move(node));
  Error error = make_error(ErrorCode::invalid, "the schema is not valid: " + describe(errors));
  error.causes = std::move(errors);
  return error;
}

std::vector<FieldError> StructuralSchema::validate(json::View object, const std::string& root) const {
  return validate_update(object, {}, root);
}

std::vector<FieldError> StructuralSchema::validate_update(json::View object, json::View old,
                                                          const std::string& root) const {
  std::vector<FieldError> errors;
  validate_node(*node_, object, old, root, errors);
  std::stable_sort(errors.begin(), errors.end(),
                   [](const FieldError& a, const FieldError& b) { return comes_before(a.field, b.field); });
  return errors;
}

void StructuralSchema::apply_defaults(json::Value& object) const { default_node(*node_, object); }

std::vector<std::string> StructuralSchema::prune(json::Value& object) const {
  std::vector<std::string> pruned;
  prune_node(*node_, object, true, pruned);
  std::sort(pruned.begin(), pruned.end());
  return pruned;
}

}  // namespace pintle
