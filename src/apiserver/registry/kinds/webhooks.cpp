// SPDX-License-Identifier: Apache-2.0
// The rules of ValidatingWebhookConfiguration and MutatingWebhookConfiguration.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <pintle/object/names.hpp>

#include "../rules.hpp"
#include "apiserver/expressions/match_condition.hpp"
#include "apiserver/registry/metadata.hpp"
#include "apiserver/registry/values.hpp"
#include "webhook_fields.hpp"

namespace pintle::apiserver {
namespace {

using json::object;
using json::Value;
using json::View;

constexpr std::int64_t max_timeout = 30;  // seconds
constexpr std::size_t max_match_conditions = 64;

using Causes = std::vector<StatusCause>;

// Refuses a text that is set and not one of these.
void validate_choice(View value, const std::string& field, const std::vector<std::string>& supported, Causes& causes) {
  const std::string_view text = value.text();
  const bool fits = std::find(supported.begin(), supported.end(), text) != supported.end();
  if (value.exists() && !fits) causes.push_back(not_supported(field, Value(text), supported));
}

// Refuses "*" beside other items.
void validate_wildcard(View list, const std::string& field, std::string_view what, Causes& causes) {
  bool has_all = false;
  for (const View item : list.elements()) has_all = has_all || item == "*";
  if (!has_all || list.size() == 1) return;
  causes.push_back(
      invalid_value(field, list.to_value(), fmt::format("if '*' is present, must not specify other {}", what)));
}

void validate_operations(View operations, const std::string& field, Causes& causes) {
  if (operations.empty()) causes.push_back(required(field));
  validate_wildcard(operations, field, "operations", causes);
  std::size_t i = 0;
  for (const View operation : operations.elements()) {
    validate_choice(operation, fmt::format("{}[{}]", field, i++), {"*", "CONNECT", "CREATE", "DELETE", "UPDATE"},
                    causes);
  }
}

void validate_resources(View resources, const std::string& field, Causes& causes) {
  if (resources.empty()) causes.push_back(required(field));
  std::vector<std::string_view> whole;  // those with all their subresources, "pods/*"
  std::vector<std::string_view> parts;  // subresources of all resources, "*/status"
  bool has_all = false;
  bool has_everything = false;
  std::size_t without_part = 0;
  std::size_t i = 0;
  for (const View resource : resources.elements()) {
    const std::string at = fmt::format("{}[{}]", field, i++);
    const std::string_view text = resource.text();
    if (text.empty()) {
      causes.push_back(required(at));
      continue;
    }
    const std::size_t slash = text.find('/');
    const std::string_view plural = text.substr(0, slash);
    if (slash == std::string_view::npos) {
      ++without_part;
      has_all = has_all || text == "*";
      continue;
    }
    const std::string_view part = text.substr(slash + 1);
    const auto covers = [&](const std::vector<std::string_view>& list, std::string_view one, std::string_view pattern) {
      if (std::find(list.begin(), list.end(), one) == list.end()) return;
      causes.push_back(
          invalid_value(at, Value(text), fmt::format("if '{}' is present, must not specify {}", pattern, text)));
    };
    covers(whole, plural, fmt::format("{}/*", plural));
    covers(parts, part, fmt::format("*/{}", part));
    if (text == "*/*") {
      has_everything = true;
    } else if (part == "*") {
      whole.push_back(plural);
    } else if (plural == "*") {
      parts.push_back(part);
    }
  }
  if (has_everything && resources.size() > 1) {
    causes.push_back(
        invalid_value(field, resources.to_value(), "if '*/*' is present, must not specify other resources"));
  }
  if (has_all && without_part > 1) {
    causes.push_back(invalid_value(field, resources.to_value(),
                                   "if '*' is present, must not specify other resources without subresources"));
  }
}

void validate_rule(View rule, const std::string& field, Causes& causes) {
  validate_operations(rule.member("operations"), field + ".operations", causes);
  for (const auto& [name, what] : {std::pair("apiGroups", "API groups"), std::pair("apiVersions", "API versions")}) {
    const View list = rule.member(name);
    const std::string at = fmt::format("{}.{}", field, name);
    if (list.empty()) causes.push_back(required(at));
    validate_wildcard(list, at, what, causes);
  }
  std::size_t i = 0;
  for (const View version : rule.member("apiVersions").elements()) {
    if (version.text().empty()) causes.push_back(required(fmt::format("{}.apiVersions[{}]", field, i)));
    ++i;
  }
  validate_resources(rule.member("resources"), field + ".resources", causes);
  validate_choice(rule.member("scope"), field + ".scope", {"*", "Cluster", "Namespaced"}, causes);
}

void validate_selector(View selector, const std::string& field, Causes& causes) {
  for (const auto [key, value] : selector.member("matchLabels").members()) {
    if (const auto error = qualified_name_error(key)) {
      causes.push_back(invalid_value(field + ".matchLabels", Value(key), *error));
    }
    if (const auto error = names::validate_label_value(value.text())) {
      causes.push_back(invalid_value(fmt::format("{}.matchLabels[{}]", field, key), Value(value.text()), *error));
    }
  }
  std::size_t i = 0;
  for (const View expression : selector.member("matchExpressions").elements()) {
    const std::string at = fmt::format("{}.matchExpressions[{}]", field, i++);
    const std::string_view op = expression.member("operator").text();
    const bool has_values = !expression.member("values").empty();
    if (op == "In" || op == "NotIn") {
      if (!has_values) {
        causes.push_back(required(at + ".values", "must be specified when `operator` is 'In' or 'NotIn'"));
      }
    } else if (op != "Exists" && op != "DoesNotExist") {
      causes.push_back(invalid_value(at + ".operator", Value(op), "not a valid selector operator"));
    } else if (has_values) {
      causes.push_back(
          forbidden_field(at + ".values", "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"));
    }
    std::size_t j = 0;
    for (const View value : expression.member("values").elements()) {
      if (const auto error = names::validate_label_value(value.text())) {
        causes.push_back(invalid_value(fmt::format("{}.values[{}]", at, j), Value(value.text()), *error));
      }
      ++j;
    }
    const std::string_view key = expression.member("key").text();
    if (const auto error = qualified_name_error(key)) {
      causes.push_back(invalid_value(at + ".key", Value(key), *error));
    }
  }
}

void validate_conditions(View conditions, const std::string& field, Causes& causes) {
  if (conditions.size() > max_match_conditions) {
    causes.push_back(
        {.reason = "FieldValueTooMany",
         .message = fmt::format("Too many: {}: must have at most {} items", conditions.size(), max_match_conditions),
         .field = field});
  }
  std::vector<std::string_view> seen;
  for (const View condition : conditions.elements()) {
    const std::string at = fmt::format("{}[{}]", field, seen.size());
    const std::string_view name = condition.member("name").text();
    if (name.empty()) {
      causes.push_back(required(at + ".name"));
    } else if (const auto error = qualified_name_error(name)) {
      causes.push_back(invalid_value(at + ".name", Value(name), *error));
    } else if (std::find(seen.begin(), seen.end(), name) != seen.end()) {
      causes.push_back(duplicate_value(at + ".name", Value(name)));
    }
    seen.push_back(name);
    const std::string_view expression = condition.member("expression").text();
    if (expression.empty()) {
      causes.push_back(required(at + ".expression"));
    } else if (const auto program = compile_match_condition(expression); !program) {
      causes.push_back(invalid_value(at + ".expression", Value(expression), program.error().message));
    }
  }
}

void validate_name(std::string_view name, const std::string& field, Causes& causes) {
  constexpr std::ptrdiff_t min_dots = 2;
  if (name.empty()) {
    causes.push_back(required(field));
  } else if (const auto error = subdomain_error(name)) {
    causes.push_back(invalid_value(field, Value(name), *error));
  } else if (std::count(name.begin(), name.end(), '.') < min_dots) {
    causes.push_back(
        invalid_value(field, Value(name), "should be a domain with at least three segments separated by dots"));
  }
}

void validate_webhook(View hook, const std::string& field, Causes& causes) {
  validate_name(hook.member("name").text(), field + ".name", causes);
  std::size_t i = 0;
  for (const View rule : hook.member("rules").elements()) {
    validate_rule(rule, fmt::format("{}.rules[{}]", field, i++), causes);
  }
  validate_choice(hook.member("failurePolicy"), field + ".failurePolicy", {"Fail", "Ignore"}, causes);
  validate_choice(hook.member("matchPolicy"), field + ".matchPolicy", {"Equivalent", "Exact"}, causes);
  validate_choice(hook.member("reinvocationPolicy"), field + ".reinvocationPolicy", {"IfNeeded", "Never"}, causes);
  if (const View effects = hook.member("sideEffects"); !effects.text().empty()) {
    validate_choice(effects, field + ".sideEffects", {"None", "NoneOnDryRun"}, causes);
  } else {
    causes.push_back(required(field + ".sideEffects", "must specify one of None, NoneOnDryRun"));
  }
  const std::int64_t timeout = hook.member("timeoutSeconds").as_integer().value_or(1);
  if (timeout < 1 || timeout > max_timeout) {
    causes.push_back(
        invalid_value(field + ".timeoutSeconds", Value(timeout), "the timeout value must be between 1 and 30 seconds"));
  }
  validate_selector(hook.member("namespaceSelector"), field + ".namespaceSelector", causes);
  validate_selector(hook.member("objectSelector"), field + ".objectSelector", causes);
  validate_client_config(hook.member("clientConfig"), field + ".clientConfig", causes);
  if (const View versions = hook.member("admissionReviewVersions"); versions.empty()) {
    causes.push_back(required(field + ".admissionReviewVersions", "must specify one of v1, v1beta1"));
  } else {
    validate_review_versions(versions, field + ".admissionReviewVersions", causes);
  }
  validate_conditions(hook.member("matchConditions"), field + ".matchConditions", causes);
}

class Webhooks final : public BuiltinStrategy {
 public:
  explicit Webhooks(BuiltinKind kind)
      : BuiltinStrategy(kind), mutates_(kind.facts.kind == "MutatingWebhookConfiguration") {}

  bool has_own_cells() const override { return true; }

  void validate(const Value& next, const Value* /*old*/, std::vector<StatusCause>& causes) const override {
    const json::Document document(next);
    std::vector<std::string_view> seen;
    for (const View hook : document.root().member("webhooks").elements()) {
      const std::string at = fmt::format("webhooks[{}]", seen.size());
      const std::string_view name = hook.member("name").text();
      validate_webhook(hook, at, causes);
      if (!name.empty() && std::find(seen.begin(), seen.end(), name) != seen.end()) {
        causes.push_back(duplicate_value(at + ".name", Value(name)));
      }
      seen.push_back(name);
    }
  }

 protected:
  void set_defaults(Value& configuration) const override {
    each_object(configuration, "/webhooks", [&](Value& hook) {
      object& members = hook.get_object();
      set_default(members, "failurePolicy", "Fail");
      set_default(members, "matchPolicy", "Equivalent");
      members.emplace("namespaceSelector", object());
      members.emplace("objectSelector", object());
      members.emplace("timeoutSeconds", 10);
      if (mutates_) set_default(members, "reinvocationPolicy", "Never");
      if (object* service = object_at(hook, "/clientConfig/service")) service->emplace("port", 443);
      each_object(hook, "/rules", [](Value& rule) { set_default(rule.get_object(), "scope", "*"); });
    });
  }

  Value cell(std::string_view /*Webhooks*/, View configuration, WallTime /*now*/) const override {
    return static_cast<std::int64_t>(configuration.member("webhooks").size());
  }

 private:
  const bool mutates_;
};

}  // namespace

StrategyPtr webhooks_strategy(BuiltinKind kind) { return std::make_shared<Webhooks>(std::move(kind)); }

}  // namespace pintle::apiserver
