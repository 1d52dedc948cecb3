// SPDX-License-Identifier: Apache-2.0
// The rules of ValidatingAdmissionPolicy, MutatingAdmissionPolicy and their bindings.
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "admission_fields.hpp"
#include "apiserver/registry/metadata.hpp"
#include "apiserver/registry/rules.hpp"
#include "apiserver/registry/values.hpp"
#include "policy_fields.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;
using json::View;

using Causes = std::vector<StatusCause>;

constexpr std::string_view white_space = " \t\r\n\f\v";

std::string_view trim(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(white_space);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(white_space) - begin + 1);
}

void validate_message(std::string_view message, const std::string& field, Causes& causes) {
  const std::string_view text = trim(message);
  if (!message.empty() && text.empty()) {
    causes.push_back(invalid_value(field, Value(message), "must be non-empty if specified"));
  } else if (text.find_first_of("\r\n") != std::string_view::npos) {
    causes.push_back(invalid_value(field, Value(message), "must not contain line breaks"));
  }
}

void validate_validation(View validation, const std::string& field, const ExpressionCompiler& compiler,
                         Causes& causes) {
  const std::string_view expression = validation.member("expression").text();
  if (trim(expression).empty()) {
    causes.push_back(required(field + ".expression", "expression is not specified"));
  } else {
    validate_expression(compiler, ExpressionUse::validation, expression, field + ".expression", causes);
  }
  const std::string_view message = validation.member("messageExpression").text();
  if (!message.empty() && trim(message).empty()) {
    causes.push_back(invalid_value(field + ".messageExpression", Value(message), "must be non-empty if specified"));
  } else if (!message.empty()) {
    validate_expression(compiler, ExpressionUse::message, message, field + ".messageExpression", causes);
  }
  validate_message(validation.member("message").text(), field + ".message", causes);
  validate_choice(validation.member("reason"), field + ".reason", {"Forbidden", "Invalid", "RequestEntityTooLarge"},
                  causes);
}

// `policy` is the name of the policy, which is a part of the key.
void validate_annotation(View annotation, std::string_view policy, const std::string& field,
                         const ExpressionCompiler& compiler, Causes& causes) {
  constexpr std::size_t max_expression_size = 5 * 1024;
  const std::string_view key = annotation.member("key").text();
  const std::string whole = fmt::format("{}/{}", policy, key);
  if (policy.empty()) {
    causes.push_back(invalid_value(field + ".key", Value(key), "requires metadata.name be non-empty"));
  } else if (const auto error = qualified_name_error(whole)) {
    causes.push_back(invalid_value(field + ".key", Value(whole), *error));
  }
  const std::string_view expression = annotation.member("valueExpression").text();
  const std::string at = field + ".valueExpression";
  if (trim(expression).empty()) {
    causes.push_back(required(at, "valueExpression is not specified"));
  } else if (trim(expression).size() > max_expression_size) {
    causes.push_back(required(at, fmt::format("must not exceed {} bytes in length", max_expression_size)));
  } else {
    validate_expression(compiler, ExpressionUse::annotation, expression, at, causes);
  }
}

void validate_annotations(View annotations, std::string_view policy, const ExpressionCompiler& compiler,
                          Causes& causes) {
  constexpr std::size_t max_annotations = 20;
  const std::string field = "spec.auditAnnotations";
  if (annotations.size() > max_annotations) {
    causes.push_back(invalid_value(field, annotations.to_value(),
                                   fmt::format("must not have more than {} auditAnnotations", max_annotations)));
  }
  std::vector<std::string_view> seen;
  for (const View annotation : annotations.elements()) {
    const std::string at = fmt::format("{}[{}]", field, seen.size());
    const std::string_view key = annotation.member("key").text();
    validate_annotation(annotation, policy, at, compiler, causes);
    if (std::find(seen.begin(), seen.end(), key) != seen.end()) {
      causes.push_back(duplicate_value(at + ".key", Value(key)));
    }
    seen.push_back(key);
  }
}

// The members of a mutation depend on its patchType.
void validate_mutation(View mutation, const std::string& field, const ExpressionCompiler& compiler, Causes& causes) {
  const std::string_view type = mutation.member("patchType").text();
  if (type.empty()) {
    causes.push_back(required(field + ".patchType"));
    return;
  }
  if (type != "JSONPatch" && type != "ApplyConfiguration") {
    causes.push_back(not_supported(field + ".patchType", Value(type), {"ApplyConfiguration", "JSONPatch"}));
    return;
  }
  const bool is_patch = type == "JSONPatch";
  const char* name = is_patch ? "jsonPatch" : "applyConfiguration";
  const char* other = is_patch ? "applyConfiguration" : "jsonPatch";
  const std::string at = fmt::format("{}.{}", field, name);
  if (const View patch = mutation.member(name); !patch) {
    causes.push_back(required(at, fmt::format("must be specified when patchType is {}", type)));
  } else if (const auto expression = trim(patch.member("expression").text()); expression.empty()) {
    causes.push_back(required(at + ".expression"));
  } else {
    const auto use = is_patch ? ExpressionUse::json_patch : ExpressionUse::apply;
    validate_expression(compiler, use, expression, at + ".expression", causes);
  }
  if (mutation.member(other).exists()) {
    causes.push_back(invalid_value(fmt::format("{}.{}", field, other), Value(fmt::format("{{{}}}", other)),
                                   fmt::format("must not be specified when patchType is {}", type)));
  }
}

// A deletion cannot be mutated.
void validate_mutated_operations(View match, const std::string& field, Causes& causes) {
  for (const View rule : match.member("resourceRules").elements()) {
    for (const View operation : rule.member("operations").elements()) {
      validate_choice(operation, field + ".resourceRules.operations", {"*", "CONNECT", "CREATE", "UPDATE"}, causes);
    }
  }
}

class PolicyStrategy : public BuiltinStrategy {
 public:
  using BuiltinStrategy::BuiltinStrategy;
  bool has_own_cells() const override { return true; }

 protected:
  void set_defaults(Value& policy) const override {
    if (json::object* spec = object_at(policy, "/spec")) set_default(*spec, "failurePolicy", "Fail");
    set_match_defaults(policy, "/spec/matchConstraints");
  }
};

class ValidatingPolicyStrategy final : public PolicyStrategy {
 public:
  using PolicyStrategy::PolicyStrategy;

  void validate(const Value& next, const Value* /*old*/, Causes& causes) const override {
    const json::Document document(next);
    const View spec = document.root().member("spec");
    const View variables = spec.member("variables");
    ExpressionCompiler compiler({.has_params = spec.member("paramKind").exists(), .has_variables = !variables.empty()});
    validate_policy(spec, compiler, causes);
    validate_variables(variables, "spec.variables", compiler, causes);
    const View validations = spec.member("validations");
    const View annotations = spec.member("auditAnnotations");
    if (validations.empty() && annotations.empty()) {
      for (const char* field : {"spec.validations", "spec.auditAnnotations"}) {
        causes.push_back(required(field, "validations or auditAnnotations must contain at least one item"));
      }
      return;
    }
    std::size_t i = 0;
    for (const View validation : validations.elements()) {
      validate_validation(validation, fmt::format("spec.validations[{}]", i++), compiler, causes);
    }
    validate_annotations(annotations, text_at(next, "/metadata/name"), compiler, causes);
  }

 protected:
  Value cell(std::string_view column, View policy, WallTime /*now*/) const override {
    const View spec = policy.member("spec");
    if (column == "ParamKind") return Value(param_kind_cell(spec));
    return static_cast<std::int64_t>(spec.member("validations").size());
  }
};

class MutatingPolicyStrategy final : public PolicyStrategy {
 public:
  using PolicyStrategy::PolicyStrategy;

  void validate(const Value& next, const Value* /*old*/, Causes& causes) const override {
    const json::Document document(next);
    const View spec = document.root().member("spec");
    ExpressionCompiler compiler({.has_params = spec.member("paramKind").exists(), .has_variables = true});
    validate_policy(spec, compiler, causes);
    validate_mutated_operations(spec.member("matchConstraints"), "spec.matchConstraints", causes);
    validate_variables(spec.member("variables"), "spec.variables", compiler, causes);
    if (spec.member("mutations").empty()) {
      causes.push_back(required("spec.mutations", "mutations must contain at least one item"));
    }
    std::size_t i = 0;
    for (const View mutation : spec.member("mutations").elements()) {
      validate_mutation(mutation, fmt::format("spec.mutations[{}]", i++), compiler, causes);
    }
    if (const View again = spec.member("reinvocationPolicy"); again.text().empty()) {
      causes.push_back(required("spec.reinvocationPolicy"));
    } else {
      validate_choice(again, "spec.reinvocationPolicy", {"IfNeeded", "Never"}, causes);
    }
  }

 protected:
  Value cell(std::string_view column, View policy, WallTime /*now*/) const override {
    const View spec = policy.member("spec");
    if (column == "ParamKind") return Value(param_kind_cell(spec));
    return static_cast<std::int64_t>(spec.member("mutations").size());
  }
};

class BindingStrategy final : public BuiltinStrategy {
 public:
  explicit BindingStrategy(BuiltinKind kind)
      : BuiltinStrategy(kind), mutates_(kind.facts.kind == "MutatingAdmissionPolicyBinding") {}

  bool has_own_cells() const override { return true; }

  void validate(const Value& next, const Value* /*old*/, Causes& causes) const override {
    const json::Document document(next);
    const View spec = document.root().member("spec");
    validate_policy_binding(spec, causes);
    if (mutates_) {
      validate_mutated_operations(spec.member("matchResources"), "spec.matchResources", causes);
    } else {
      validate_actions(spec.member("validationActions"), causes);
    }
  }

 protected:
  void set_defaults(Value& binding) const override { set_match_defaults(binding, "/spec/matchResources"); }

  Value cell(std::string_view column, View binding, WallTime /*now*/) const override {
    const View spec = binding.member("spec");
    return Value(column == "ParamRef" ? param_ref_cell(spec) : std::string(spec.member("policyName").text()));
  }

 private:
  static void validate_actions(View actions, Causes& causes) {
    const std::string field = "spec.validationActions";
    std::vector<std::string_view> seen;
    for (const View action : actions.elements()) {
      const std::string at = fmt::format("{}[{}]", field, seen.size());
      validate_choice(action, at, {"Audit", "Deny", "Warn"}, causes);
      if (std::find(seen.begin(), seen.end(), action.text()) != seen.end()) {
        causes.push_back(duplicate_value(at, Value(action.text())));
      }
      seen.push_back(action.text());
    }
    const auto has = [&](std::string_view action) { return std::find(seen.begin(), seen.end(), action) != seen.end(); };
    if (has("Deny") && has("Warn")) {
      causes.push_back(invalid_value(field, actions.to_value(),
                                     "must not contain both Deny and Warn (repeating the same validation failure "
                                     "information in the API response and headers serves no purpose)"));
    }
    if (seen.empty()) causes.push_back(required(field, "at least one validation action is required"));
  }

  const bool mutates_;
};

}  // namespace

StrategyPtr mutating_policy_strategy(BuiltinKind kind) {
  return std::make_shared<MutatingPolicyStrategy>(std::move(kind));
}
StrategyPtr policy_binding_strategy(BuiltinKind kind) { return std::make_shared<BindingStrategy>(std::move(kind)); }
StrategyPtr validating_policy_strategy(BuiltinKind kind) {
  return std::make_shared<ValidatingPolicyStrategy>(std::move(kind));
}

}  // namespace pintle::apiserver
