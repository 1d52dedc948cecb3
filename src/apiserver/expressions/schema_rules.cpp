// SPDX-License-Identifier: Apache-2.0
#include "schema_rules.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <pintle/base/text.hpp>
#include <pintle/json/value.hpp>

#include "compiled_rule.hpp"
#include "object/schema/correlation.hpp"
#include "schema_type.hpp"

namespace pintle::apiserver {

// The rules of a schema and of the schemas below it. Schemas without rules have no node.
struct RuleNode {
  const SchemaNode* schema = nullptr;
  SchemaTypePtr type{};
  std::vector<CompiledRule> rules{};
  std::map<std::string, std::unique_ptr<RuleNode>, std::less<>> properties{};
  std::unique_ptr<RuleNode> additional{};
  std::unique_ptr<RuleNode> items{};

  [[nodiscard]] const RuleNode* member(std::string_view name) const {
    const auto found = properties.find(name);
    if (found != properties.end()) return found->second.get();
    return schema->properties.contains(name) ? nullptr : additional.get();
  }
};

namespace {

constexpr std::int64_t budget_of_object = 10'000'000;
constexpr std::uint64_t limit_of_call = 1'000'000;
constexpr std::size_t longest_message = 5 * 1024;

// ---- the tree of rules ----------------------------------------------------------------------------------------------

std::unique_ptr<RuleNode> make_rule_node(const SchemaNode& schema, const SchemaTypePtr& type) {
  if (type == nullptr) return nullptr;
  auto node = std::make_unique<RuleNode>();
  node->schema = &schema;
  node->type = type;
  for (const ValidationRule& rule : schema.rules) node->rules.push_back(compile_rule(rule, schema, *type));
  for (const auto& [name, property] : schema.properties) {
    const auto known = property_name(name);
    const auto found = known ? type->fields.find(*known) : type->fields.end();
    // A property whose name CEL cannot express may have rules about itself.
    const auto of_property = known ? (found == type->fields.end() ? nullptr : found->second)
                                   : schema_type(*property, "self", property->embedded);
    if (auto below = make_rule_node(*property, of_property)) node->properties.emplace(name, std::move(below));
  }
  if (schema.additional != nullptr) node->additional = make_rule_node(*schema.additional, type->elements);
  if (schema.items != nullptr) node->items = make_rule_node(*schema.items, type->elements);
  const bool is_empty = node->rules.empty() && node->properties.empty() && !node->additional && !node->items;
  return is_empty ? nullptr : std::move(node);
}

// ---- evaluation -----------------------------------------------------------------------------------------------------

// A value with the value before the update. If there is no previous value, for example of an element of a plain list,
// only the nearest value above that has one decides whether something changed.
struct Place {
  const RuleNode* node = nullptr;
  json::View value{};
  json::View old{};
  std::string path{};
  const SchemaNode* above = nullptr;  // the schema of that value; null: none
  json::View value_above{};
  json::View old_above{};
  bool names_type = false;  // apiVersion or kind of the whole object, which a conversion changes
};

// A number with an exponent below 1e-4 and from 1e21.
std::string value_text(json::View value) {
  const auto number = value.as_double();
  if (!number || value.as_integer() || value.as_unsigned()) return value.print();
  const double size = std::abs(*number);
  const bool is_fixed = size == 0 || (size >= 1e-4 && size < 1e21);
  std::array<char, 64> buffer{};
  const auto format = is_fixed ? std::chars_format::fixed : std::chars_format::scientific;
  return {buffer.data(), std::to_chars(buffer.data(), buffer.data() + buffer.size(), *number, format).ptr};
}

class RuleEvaluation {
 public:
  RuleEvaluation(std::vector<StatusCause>& causes, std::vector<std::string>& warnings)
      : causes_(causes), warnings_(warnings) {}

  void run(const Place& place) {
    if (place.node == nullptr || place.value.is_null() || !place.value.exists()) return;
    check_rules(place);
    if (budget_ < 0) return;
    if (place.value.is_array()) run_elements(place);
    if (place.value.is_object()) run_members(place);
  }

 private:
  void run_elements(const Place& place) {
    if (place.node->items == nullptr) return;
    OldElements old_elements(*place.node->schema, place.old);
    std::size_t index = 0;
    for (const json::View element : place.value.elements()) {
      run(below(place, *place.node->items, element, old_elements.of(element, index),
                fmt::format("{}[{}]", place.path, index)));
      ++index;
      if (budget_ < 0) return;
    }
  }

  void run_members(const Place& place) {
    for (const auto [name, member] : place.value.members()) {
      const RuleNode* node = place.node->member(name);
      if (node == nullptr) continue;
      const bool is_property = place.node->schema->properties.contains(name);
      auto next = below(place, *node, member, place.old.member(name),
                        is_property ? child_path(place.path, name) : fmt::format("{}[{}]", place.path, name));
      next.names_type = place.path.empty() && (name == "apiVersion" || name == "kind");
      run(next);
      if (budget_ < 0) return;
    }
  }

  static Place below(const Place& place, const RuleNode& node, json::View value, json::View old, std::string path) {
    Place out{.node = &node, .value = value, .old = old, .path = std::move(path)};
    const bool has_old = place.old.exists();
    out.above = has_old ? place.node->schema : place.above;
    out.value_above = has_old ? place.value : place.value_above;
    out.old_above = has_old ? place.old : place.old_above;
    return out;
  }

  void check_rules(const Place& place) {
    if (place.node->rules.empty()) return;
    if (budget_ <= 0)
      return exhaust(place,
                     "validation failed due to running out of cost budget, no further validation "
                     "rules will be run");
    const auto self = cel::Value::from_json(place.value, place.node->type->type);
    cel::Activation activation = {{"self", self}};
    std::optional<cel::Value> old_self;
    if (place.old.exists() && !place.old.is_null()) {
      old_self = cel::Value::from_json(place.old, place.node->type->type);
    }
    for (const CompiledRule& rule : place.node->rules) {
      check_rule(place, rule, activation, old_self);
      if (budget_ < 0) return;
    }
  }

  void check_rule(const Place& place, const CompiledRule& rule, cel::Activation& activation,
                  const std::optional<cel::Value>& old_self) {
    if (!rule.mistake.empty()) return add_typed(place, "rule compile error: " + rule.mistake);
    if (!rule.program) return;
    const bool is_optional = rule.source->optional_old_self.value_or(false);
    if (rule.uses_old_self && !old_self && !is_optional) return;
    activation.erase("oldSelf");
    if (is_optional) {
      activation.emplace("oldSelf", old_self ? cel::Value::some(*old_self) : cel::Value::none());
    } else if (old_self) {
      activation.emplace("oldSelf", *old_self);
    }
    const auto evaluation = rule.program->evaluate(activation, {.max_cost = limit_of_call});
    if (!charge(evaluation.cost)) {
      return exhaust(place,
                     "validation failed due to running out of cost budget, no further validation rules will be "
                     "run");
    }
    if (!evaluation.value) return add_failure(place, rule, evaluation.value.error());
    if (evaluation.value->as_bool() == true) return;
    // A message reads oldSelf as it is, also that of a rule for which it is optional.
    if (old_self) {
      activation.insert_or_assign("oldSelf", *old_self);
    } else {
      activation.erase("oldSelf");
    }
    add_violation(place, rule, activation);
  }

  // An evaluation that exceeds the limit of a call ends the validation.
  void add_failure(const Place& place, const CompiledRule& rule, const Error& error) {
    const auto text = describe_rule(*rule.source);
    if (error.reason == cel::cost_exceeded) {
      return exhaust(place, fmt::format("'{}': no further validation rules will be run due to call cost exceeds limit "
                                        "for rule: {}",
                                        error.message, text));
    }
    if (error.message.starts_with("no such overload")) {
      return add_typed(place, fmt::format("'{}': call arguments did not match a supported operator, function or macro "
                                          "signature for rule: {}",
                                          error.message, text));
    }
    add_typed(place, fmt::format("{} evaluating rule: {}", error.message, text));
  }

  void add_violation(const Place& place, const CompiledRule& rule, const cel::Activation& activation) {
    auto path = place.path;
    if (!rule.field.empty()) path += (path.empty() ? "" : ".") + rule.field;
    std::string message;
    if (rule.message) {
      const auto evaluation = rule.message->evaluate(activation, {.max_cost = limit_of_call});
      if (!charge(evaluation.cost)) {
        return end_with(place, rule, path,
                        "messageExpression evaluation failed due to running out of cost budget, no further validation "
                        "rules will be run");
      }
      if (!evaluation.value && evaluation.value.error().reason == cel::cost_exceeded) {
        return end_with(place, rule, path,
                        fmt::format("no further validation rules will be run due to call cost exceeds limit for "
                                    "messageExpression: {}",
                                    json::print(json::Value(rule.source->message_expression))));
      }
      if (evaluation.value) message = usable_message(evaluation.value->as_string().value_or(""));
    }
    if (message.empty()) {
      message =
          rule.source->message.empty() ? "failed rule: " + describe_rule(*rule.source) : describe_rule(*rule.source);
    }
    add(place, rule, violation(place, std::move(path), message, rule.source->reason.value_or("")));
  }

  // A message that is too long or has line breaks is not used.
  static std::string usable_message(std::string_view text) {
    text = trim(text);
    const bool is_usable = text.size() <= longest_message && text.find('\n') == std::string_view::npos;
    return is_usable ? std::string(text) : std::string();
  }

  static StatusCause violation(const Place& place, std::string path, const std::string& message,
                               std::string_view reason) {
    const bool has_value = place.node->schema->type != "object" && place.node->schema->type != "array";
    const auto value = has_value ? value_text(place.value) + ": " : std::string();
    if (reason == "FieldValueForbidden") return cause(std::move(path), reason, "Forbidden: " + message);
    if (reason == "FieldValueRequired") return cause(std::move(path), reason, "Required value: " + message);
    if (reason == "FieldValueDuplicate") {
      return cause(std::move(path), reason, "Duplicate value" + (has_value ? ": " + value_text(place.value) : ""));
    }
    return cause(std::move(path), "FieldValueInvalid", "Invalid value: " + value + message);
  }

  static StatusCause cause(std::string path, std::string_view reason, std::string message) {
    return {.reason = std::string(reason),
            .message = std::move(message),
            .field = path.empty() ? "<nil>" : std::move(path)};
  }

  // An error that is not about the value, so that it shows its type.
  static StatusCause typed(const Place& place, std::string path, const std::string& message) {
    return cause(std::move(path), "FieldValueInvalid",
                 fmt::format("Invalid value: \"{}\": {}", place.node->schema->type, message));
  }
  void add_typed(const Place& place, const std::string& message) {
    causes_.push_back(typed(place, place.path, message));
  }

  void add(const Place& place, const CompiledRule& rule, StatusCause cause) {
    if (!rule.uses_old_self && is_kept(place)) {
      warnings_.push_back(cause.field + ": " + cause.message);
    } else {
      causes_.push_back(std::move(cause));
    }
  }

  static bool is_kept(const Place& place) {
    if (place.names_type) return false;
    if (place.old.exists()) return is_unchanged(*place.node->schema, place.value, place.old);
    return place.above != nullptr && is_unchanged(*place.above, place.value_above, place.old_above);
  }

  [[nodiscard]] bool charge(std::uint64_t cost) {
    if (cost > static_cast<std::uint64_t>(budget_)) return false;
    budget_ -= static_cast<std::int64_t>(cost);
    return true;
  }

  // Adds the last error: no further rule is evaluated.
  void exhaust(const Place& place, const std::string& message) {
    add_typed(place, message);
    budget_ = -1;
  }
  void end_with(const Place& place, const CompiledRule& rule, std::string path, const std::string& message) {
    add(place, rule, typed(place, std::move(path), message));
    budget_ = -1;
  }

  std::vector<StatusCause>& causes_;
  std::vector<std::string>& warnings_;
  std::int64_t budget_ = budget_of_object;
};

// ---- defaults -------------------------------------------------------------------------------------------------------

template <class Test>
bool any_below(const SchemaNode& node, Test test) {
  for (const auto& [name, property] : node.properties) {
    if (test(*property)) return true;
  }
  return (node.additional != nullptr && test(*node.additional)) || (node.items != nullptr && test(*node.items));
}

bool has_rules(const SchemaNode& node) { return !node.rules.empty() || any_below(node, has_rules); }

bool has_ruled_default(const SchemaNode& node) {
  return (node.default_value && has_rules(node)) || any_below(node, has_ruled_default);
}

// Evaluates the rules for a default as a new value, and then as one that does not change.
void validate_default(const RuleNode& node, const std::string& place, std::vector<StatusCause>& causes) {
  const json::Document value(*node.schema->default_value);
  std::vector<StatusCause> found;
  std::vector<std::string> warnings;
  for (const json::View old : {json::View(), value.root()}) {
    if (!found.empty()) break;
    RuleEvaluation(found, warnings).run({.node = &node, .value = value.root(), .old = old, .path = place + ".default"});
  }
  causes.insert(causes.end(), found.begin(), found.end());
}

void validate_defaults(const RuleNode& node, const std::string& place, std::vector<StatusCause>& causes) {
  if (node.schema->default_value) validate_default(node, place, causes);
  for (const auto& [name, property] : node.properties) {
    validate_defaults(*property, fmt::format("{}.properties[{}]", place, name), causes);
  }
  if (node.additional) validate_defaults(*node.additional, place + ".additionalProperties", causes);
  if (node.items) validate_defaults(*node.items, place + ".items", causes);
}

}  // namespace

SchemaRules::SchemaRules(StructuralSchema schema, std::unique_ptr<const RuleNode> root)
    : schema_(std::move(schema)), root_(std::move(root)) {}
SchemaRules::~SchemaRules() = default;

std::shared_ptr<const SchemaRules> SchemaRules::compile(const StructuralSchema& schema) {
  auto root = make_rule_node(schema.node(), schema_type(schema.node(), "self", true));
  return root == nullptr ? nullptr : std::make_shared<const SchemaRules>(schema, std::move(root));
}

void SchemaRules::validate(json::View object, json::View old, std::vector<StatusCause>& causes,
                           std::vector<std::string>& warnings) const {
  RuleEvaluation(causes, warnings).run({.node = root_.get(), .value = object, .old = old});
}

void check_schema_defaults(const StructuralSchema& schema, const std::string& place, std::vector<StatusCause>& causes) {
  if (!has_ruled_default(schema.node())) return;
  const auto root = make_rule_node(schema.node(), schema_type(schema.node(), "self", true));
  if (root != nullptr) validate_defaults(*root, place, causes);
}

}  // namespace pintle::apiserver
