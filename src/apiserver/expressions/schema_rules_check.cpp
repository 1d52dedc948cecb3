// SPDX-License-Identifier: Apache-2.0
// Checks the rules of a CRD: their form, their expressions and their costs.
#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <pintle/base/text.hpp>
#include <pintle/json/value.hpp>

#include "compiled_rule.hpp"
#include "schema_rules.hpp"
#include "schema_type.hpp"

namespace pintle::apiserver {
namespace {

constexpr std::uint64_t limit_of_expression = 10'000'000;
constexpr std::uint64_t limit_of_schema = 100'000'000;
constexpr std::size_t most_listed = 4;

constexpr std::array<const char*, 4> reasons = {"FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid",
                                                "FieldValueRequired"};

std::uint64_t product(std::uint64_t a, std::uint64_t b) {
  std::uint64_t out = 0;
  return __builtin_mul_overflow(a, b, &out) ? UINT64_MAX : out;
}

std::string quoted(const std::string& text) { return json::print(json::Value(text)); }

bool has_line_break(std::string_view text) { return text.find_first_of("\n\r") != std::string_view::npos; }

// The rule as kube-apiserver prints it: JSON in which some characters are escaped for HTML.
std::string describe_entry(const ValidationRule& rule) {
  const json::Value entry = {
      {"Rule", rule.rule},
      {"Message", rule.message},
      {"MessageExpression", rule.message_expression},
      {"Reason", rule.reason ? json::Value(*rule.reason) : json::Value(nullptr)},
      {"FieldPath", rule.field_path},
      {"OptionalOldSelf", rule.optional_old_self ? json::Value(*rule.optional_old_self) : json::Value(nullptr)}};
  std::string out;
  for (const char c : json::print(entry)) {
    switch (c) {
      case '<': out += "\\u003c"; break;
      case '>': out += "\\u003e"; break;
      case '&': out += "\\u0026"; break;
      default: out += c;
    }
  }
  return out;
}

std::string excess(std::string_view what, std::uint64_t cost, std::uint64_t limit) {
  constexpr double hopeless = 100;
  constexpr double slight = 1.5;
  const double factor = static_cast<double>(cost) / static_cast<double>(limit);
  const auto text = factor > hopeless ? std::string("more than 100x")
                    : factor < slight ? fmt::format("{:f}x", factor)
                                      : fmt::format("{:.1f}x", factor);
  return fmt::format(
      "Forbidden: {} exceeds budget by factor of {} (try simplifying the rule, or adding maxItems, "
      "maxProperties, and maxLength where arrays, maps, and strings are declared)",
      what, text);
}

class RuleCheck {
 public:
  RuleCheck(bool limits_each, std::vector<StatusCause>& causes) : limits_each_(limits_each), causes_(causes) {}

  void run(const SchemaNode& root, const std::string& place) {
    (void)check(root, place, {.type = schema_type(root, "self", true), .most = 1});
    if (total_ <= limit_of_schema) return;
    for (const Expensive& each : expensive_) {
      forbid(each.field,
             "Forbidden: contributed to estimated rule cost total exceeding cost limit for entire "
             "OpenAPIv3 schema");
    }
    forbid(place, excess("x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema", total_,
                         limit_of_schema));
  }

 private:
  struct Expensive {
    std::string field{};
    std::uint64_t cost = 0;
  };

  // Where a schema is: its type, how often its values can occur, and the list below which they have no previous value.
  struct Context {
    SchemaTypePtr type{};
    std::optional<std::uint64_t> most{};  // nothing: no schema above limits it
    std::string uncorrelated{};
  };

  // Returns whether the entries of the schema and of those below it are well-formed. Expressions are compiled only
  // then.
  bool check(const SchemaNode& node, const std::string& place, const Context& context) {
    bool is_sound = check_below(node, place, context);
    for (std::size_t i = 0; i < node.rules.size(); ++i) {
      is_sound = check_form(node, node.rules[i], rule_place(place, i)) && is_sound;
    }
    for (std::size_t i = 0; is_sound && i < node.rules.size(); ++i) {
      check_expressions(node, node.rules[i], rule_place(place, i), context);
    }
    return is_sound;
  }

  static std::string rule_place(const std::string& place, std::size_t index) {
    return fmt::format("{}.x-kubernetes-validations[{}]", place, index);
  }

  bool check_below(const SchemaNode& node, const std::string& place, const Context& context) {
    bool is_sound = true;
    for (const auto& [name, property] : node.properties) {
      const auto known = property_name(name);
      SchemaTypePtr type = known ? field_type(context.type, *known) : nullptr;
      if (!known) type = schema_type(*property, "self", property->embedded);
      is_sound = check(*property, fmt::format("{}.properties[{}]", place, name),
                       {.type = std::move(type), .most = context.most, .uncorrelated = context.uncorrelated}) &&
                 is_sound;
    }
    const SchemaTypePtr elements = context.type == nullptr ? nullptr : context.type->elements;
    if (node.additional != nullptr) {
      is_sound = check(*node.additional, place + ".additionalProperties",
                       {.type = elements,
                        .most = times(context.most, node.max_properties),
                        .uncorrelated = context.uncorrelated}) &&
                 is_sound;
    }
    if (node.items != nullptr) {
      Context of_items{
          .type = elements, .most = times(context.most, node.max_items), .uncorrelated = context.uncorrelated};
      if (node.list_type != SchemaNode::ListType::map && of_items.uncorrelated.empty()) of_items.uncorrelated = place;
      is_sound = check(*node.items, place + ".items", of_items) && is_sound;
    }
    return is_sound;
  }

  static SchemaTypePtr field_type(const SchemaTypePtr& type, const std::string& name) {
    if (type == nullptr) return nullptr;
    const auto found = type->fields.find(name);
    return found == type->fields.end() ? nullptr : found->second;
  }

  static std::optional<std::uint64_t> times(const std::optional<std::uint64_t>& a,
                                            const std::optional<std::uint64_t>& b) {
    return a && b ? std::optional(product(*a, *b)) : std::nullopt;
  }

  bool check_form(const SchemaNode& node, const ValidationRule& rule, const std::string& place) {
    const std::size_t before = causes_.size();
    const bool has_message = !trim(rule.message).empty();
    if (trim(rule.rule).empty()) {
      require(place + ".rule", "rule is not specified");
    } else if (!rule.message.empty() && !has_message) {
      refuse(place + ".message", quoted(rule.message), "must be non-empty if specified");
    } else if (has_line_break(trim(rule.message))) {
      refuse(place + ".message", quoted(rule.message), "must not contain line breaks");
    } else if (has_line_break(trim(rule.rule)) && !has_message) {
      require(place + ".message", "message must be specified if rule contains line breaks");
    }
    if (!rule.message_expression.empty() && trim(rule.message_expression).empty()) {
      require(place + ".messageExpression", "messageExpression must be non-empty if specified");
    }
    if (rule.reason && std::ranges::find(reasons, *rule.reason) == reasons.end()) {
      causes_.push_back({.reason = "FieldValueNotSupported",
                         .message = fmt::format("Unsupported value: {}: supported values: \"FieldValueDuplicate\", "
                                                "\"FieldValueForbidden\", \"FieldValueInvalid\", "
                                                "\"FieldValueRequired\"",
                                                quoted(*rule.reason)),
                         .field = place + ".reason"});
    }
    check_field_path(node, rule, place + ".fieldPath");
    return causes_.size() == before;
  }

  void check_field_path(const SchemaNode& node, const ValidationRule& rule, const std::string& place) {
    if (rule.field_path.empty()) return;
    const auto value = quoted(rule.field_path);
    if (trim(rule.field_path).empty()) refuse(place, value, "must be non-empty if specified");
    if (has_line_break(rule.field_path)) refuse(place, value, "must not contain line breaks");
    if (!field_of_path(node, rule.field_path)) refuse(place, value, "must be a valid path");
  }

  void check_expressions(const SchemaNode& node, const ValidationRule& rule, const std::string& place,
                         const Context& context) {
    if (context.type == nullptr) {
      return refuse(place + ".rule", quoted(rule.rule), "the schema has no type that rules can read");
    }
    const auto compiled = compile_rule(rule, node, *context.type);
    const auto most = context.most.value_or(context.type->most_occurrences());
    count_cost(place + ".rule", "estimated rule cost", product(compiled.max_cost, most));
    if (!compiled.mistake.empty()) refuse(place + ".rule", describe_entry(rule), compiled.mistake);
    if (!compiled.message_mistake.empty()) {
      refuse(place + ".messageExpression", describe_entry(rule), compiled.message_mistake);
    } else if (compiled.message) {
      count_cost(place + ".messageExpression", "estimated messageExpression cost", compiled.max_message_cost);
    }
    if (!compiled.uses_old_self) {
      if (!rule.optional_old_self) return;
      refuse(place + ".optionalOldSelf", *rule.optional_old_self ? "true" : "false",
             "may not be set if oldSelf is not used in rule");
    } else if (!context.uncorrelated.empty()) {
      refuse(place + ".rule", quoted(rule.rule),
             "oldSelf cannot be used on the uncorrelatable portion of the schema within " + context.uncorrelated);
    }
  }

  void count_cost(std::string field, std::string_view what, std::uint64_t cost) {
    if (limits_each_ && cost > limit_of_expression) forbid(field, excess(what, cost, limit_of_expression));
    total_ = cost > UINT64_MAX - total_ ? UINT64_MAX : total_ + cost;
    if (cost < limit_of_schema / 100) return;
    expensive_.push_back({.field = std::move(field), .cost = cost});
    std::ranges::stable_sort(expensive_, std::ranges::greater(), &Expensive::cost);
    if (expensive_.size() > most_listed) expensive_.resize(most_listed);
  }

  void refuse(std::string field, std::string_view value, std::string_view why) {
    causes_.push_back({.reason = "FieldValueInvalid",
                       .message = fmt::format("Invalid value: {}: {}", value, why),
                       .field = std::move(field)});
  }
  void require(std::string field, std::string_view why) {
    causes_.push_back(
        {.reason = "FieldValueRequired", .message = fmt::format("Required value: {}", why), .field = std::move(field)});
  }
  void forbid(std::string field, std::string message) {
    causes_.push_back({.reason = "FieldValueForbidden", .message = std::move(message), .field = std::move(field)});
  }

  const bool limits_each_;
  std::vector<StatusCause>& causes_;
  std::uint64_t total_ = 0;
  std::vector<Expensive> expensive_{};
};

}  // namespace

void check_schema_rules(const StructuralSchema& schema, const std::string& place, bool limits_each,
                        std::vector<StatusCause>& causes) {
  RuleCheck(limits_each, causes).run(schema.node(), place);
}

}  // namespace pintle::apiserver
