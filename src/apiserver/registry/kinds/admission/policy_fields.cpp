// SPDX-License-Identifier: Apache-2.0
#include "policy_fields.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include <fmt/format.h>

#include "admission_fields.hpp"
#include "apiserver/registry/metadata.hpp"
#include "apiserver/registry/names/label_rules.hpp"
#include "apiserver/registry/refusal.hpp"
#include "apiserver/registry/values.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;
using json::View;

using Causes = std::vector<StatusCause>;

constexpr std::array<std::string_view, 21> reserved_names = {
    "true", "false",  "null", "in",   "as",      "break",     "const",  "continue", "else", "for",  "function",
    "if",   "import", "let",  "loop", "package", "namespace", "return", "var",      "void", "while"};

bool is_identifier(std::string_view text) {
  const auto is_letter = [](char c) { return c == '_' || ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z'); };
  const auto fits = [&](char c) { return is_letter(c) || ('0' <= c && c <= '9'); };
  return !text.empty() && is_letter(text.front()) && std::all_of(text.begin(), text.end(), fits) &&
         std::find(reserved_names.begin(), reserved_names.end(), text) == reserved_names.end();
}

// A name that is a segment of a path.
void validate_segment(std::string_view name, const std::string& field, Causes& causes) {
  if (name == "." || name == "..")
    causes.push_back(invalid_value(field, Value(name), fmt::format("may not be '{}'", name)));
  for (const char c : {'/', '%'}) {
    if (name.find(c) == std::string_view::npos) continue;
    causes.push_back(invalid_value(field, Value(name), fmt::format("may not contain '{}'", c)));
  }
}

void validate_named_rules(View rules, const std::string& field, Causes& causes) {
  std::size_t i = 0;
  for (const View rule : rules.elements()) {
    const std::string at = fmt::format("{}[{}]", field, i++);
    std::vector<std::string_view> seen;
    for (const View name : rule.member("resourceNames").elements()) {
      const std::string place = fmt::format("{}.resourceNames[{}]", at, seen.size());
      validate_segment(name.text(), place, causes);
      if (std::find(seen.begin(), seen.end(), name.text()) != seen.end()) {
        causes.push_back(duplicate_value(place, Value(name.text())));
      }
      seen.push_back(name.text());
    }
    validate_rule(rule, at, causes);
  }
}

void validate_param_ref(View ref, const std::string& field, Causes& causes) {
  const std::string_view name = ref.member("name").text();
  const View selector = ref.member("selector");
  const bool has_both = !name.empty() && selector.exists();
  if (!name.empty()) validate_segment(name, field + ".name", causes);
  if (has_both) causes.push_back(forbidden_field(field + ".name", "name and selector are mutually exclusive"));
  if (selector) validate_selector(selector, field + ".selector", causes);
  if (has_both) causes.push_back(forbidden_field(field + ".selector", "name and selector are mutually exclusive"));
  if (name.empty() && !selector) causes.push_back(required(field, "one of name or selector must be specified"));
  const View action = ref.member("parameterNotFoundAction");
  if (action.text().empty()) {
    causes.push_back(required(field + ".parameterNotFoundAction"));
  } else {
    validate_choice(action, field + ".parameterNotFoundAction", {"Deny", "Allow"}, causes);
  }
}

// The text that Go prints for a LabelSelector.
std::string selector_text(View selector) {
  std::string labels;
  std::vector<std::string> sorted;
  for (const auto [key, value] : selector.member("matchLabels").members()) {
    sorted.push_back(fmt::format("{}: {},", key, value.text()));
  }
  std::sort(sorted.begin(), sorted.end());
  for (const std::string& one : sorted) labels += one;
  std::string expressions;
  for (const View one : selector.member("matchExpressions").elements()) {
    std::vector<std::string_view> values;
    for (const View value : one.member("values").elements()) values.push_back(value.text());
    expressions += fmt::format("LabelSelectorRequirement{{Key:{},Operator:{},Values:[{}],}},", one.member("key").text(),
                               one.member("operator").text(), fmt::join(values, " "));
  }
  return fmt::format(
      "&LabelSelector{{MatchLabels:map[string]string{{{}}},MatchExpressions:[]LabelSelectorRequirement{{{}}},}}",
      labels, expressions);
}

}  // namespace

void set_match_defaults(Value& policy, const std::string& pointer) {
  json::object* match = object_at(policy, pointer);
  if (match == nullptr) return;
  set_default(*match, "matchPolicy", "Equivalent");
  match->emplace("namespaceSelector", json::object());
  match->emplace("objectSelector", json::object());
  for (const char* rules : {"/resourceRules", "/excludeResourceRules"}) {
    each_object(policy, pointer + rules, [](Value& rule) { set_default(rule.get_object(), "scope", "*"); });
  }
}

void validate_expression(const ExpressionCompiler& compiler, ExpressionUse use, std::string_view expression,
                         const std::string& field, Causes& causes) {
  if (const auto program = compiler.compile(use, expression); !program) {
    causes.push_back(wrong_expression(field, expression, program.error()));
  }
}

void validate_variables(View variables, const std::string& field, ExpressionCompiler& compiler, Causes& causes) {
  std::size_t i = 0;
  for (const View variable : variables.elements()) {
    const std::string at = fmt::format("{}[{}]", field, i++);
    const std::string_view name = variable.member("name").text();
    if (name.empty()) {
      causes.push_back(required(at + ".name", "name is not specified"));
    } else if (!is_identifier(name)) {
      causes.push_back(invalid_value(at + ".name", Value(name), "must be a valid CEL identifier"));
    }
    const std::string_view expression = variable.member("expression").text();
    if (expression.find_first_not_of(" \t\r\n") == std::string_view::npos) {
      causes.push_back(required(at + ".expression", "expression is not specified"));
    } else if (const auto program = compiler.add_variable(std::string(name), expression); !program) {
      causes.push_back(wrong_expression(at + ".expression", expression, program.error()));
    }
  }
}

void validate_param_kind(View kind, const std::string& field, Causes& causes) {
  const std::string_view api_version = kind.member("apiVersion").text();
  const std::string at = field + ".apiVersion";
  const std::size_t slash = api_version.find('/');
  const bool has_group = slash != std::string_view::npos;
  const std::string_view group = has_group ? api_version.substr(0, slash) : std::string_view{};
  const std::string_view version = has_group ? api_version.substr(slash + 1) : api_version;
  if (api_version.empty()) {
    causes.push_back(required(at));
  } else if (version.find('/') != std::string_view::npos) {
    causes.push_back(
        invalid_value(at, Value(api_version), fmt::format("unexpected GroupVersion string: {}", api_version)));
  } else {
    if (const auto error = group.empty() ? std::nullopt : subdomain_error(group)) {
      causes.push_back(invalid_value(at, Value(group), *error));
    }
    if (version.empty()) {
      causes.push_back(invalid_value(at, Value(api_version), "version must be specified"));
    } else if (const auto error = dns1035_label_error(version)) {
      causes.push_back(invalid_value(at, Value(version), *error));
    }
  }
  const std::string_view name = kind.member("kind").text();
  std::string lower(name);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) { return 'A' <= c && c <= 'Z' ? c + 32 : c; });
  if (name.empty()) {
    causes.push_back(required(field + ".kind"));
  } else if (const auto error = dns1035_label_error(lower)) {
    causes.push_back(invalid_value(field + ".kind", Value(name),
                                   fmt::format("may have mixed case, but should otherwise match: {}", *error)));
  }
}

void validate_match_resources(View resources, const std::string& field, Causes& causes) {
  validate_choice(resources.member("matchPolicy"), field + ".matchPolicy", {"Equivalent", "Exact"}, causes);
  for (const char* selector : {"namespaceSelector", "objectSelector"}) {
    validate_selector(resources.member(selector), fmt::format("{}.{}", field, selector), causes);
  }
  for (const char* rules : {"resourceRules", "excludeResourceRules"}) {
    validate_named_rules(resources.member(rules), fmt::format("{}.{}", field, rules), causes);
  }
}

void validate_policy(View spec, const ExpressionCompiler& conditions, Causes& causes) {
  validate_choice(spec.member("failurePolicy"), "spec.failurePolicy", {"Fail", "Ignore"}, causes);
  if (const View kind = spec.member("paramKind")) validate_param_kind(kind, "spec.paramKind", causes);
  const View match = spec.member("matchConstraints");
  if (!match) {
    causes.push_back(required("spec.matchConstraints"));
  } else {
    validate_match_resources(match, "spec.matchConstraints", causes);
    if (match.member("resourceRules").empty()) causes.push_back(required("spec.matchConstraints.resourceRules"));
  }
  validate_conditions(spec.member("matchConditions"), "spec.matchConditions", conditions, causes);
}

void validate_policy_binding(View spec, Causes& causes) {
  const std::string_view policy = spec.member("policyName").text();
  if (policy.empty()) {
    causes.push_back(required("spec.policyName"));
  } else if (const auto error = subdomain_error(policy)) {
    causes.push_back(invalid_value("spec.policyName", Value(policy), *error));
  }
  if (const View ref = spec.member("paramRef")) validate_param_ref(ref, "spec.paramRef", causes);
  if (const View match = spec.member("matchResources")) {
    validate_match_resources(match, "spec.matchResources", causes);
  }
}

std::string param_kind_cell(View spec) {
  const View kind = spec.member("paramKind");
  if (!kind) return "<unset>";
  return fmt::format("{}/{}", kind.member("apiVersion").text(), kind.member("kind").text());
}

std::string param_ref_cell(View spec) {
  const View ref = spec.member("paramRef");
  const std::string_view name = ref.member("name").text();
  if (!name.empty()) {
    const std::string_view space = ref.member("namespace").text();
    return fmt::format("{}/{}", space.empty() ? "*" : space, name);
  }
  return ref.member("selector").exists() ? selector_text(ref.member("selector")) : "<unset>";
}

}  // namespace pintle::apiserver
