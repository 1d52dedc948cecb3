// SPDX-License-Identifier: Apache-2.0
#include "policy.hpp"

#include "apiserver/expressions/expression_compiler.hpp"

namespace pintle::apiserver {
namespace {

using json::View;

class PolicyReader {
 public:
  PolicyReader(PolicyKind kind, const Object& policy)
      : kind_(kind),
        spec_(policy["/spec"]),
        compiler_({.has_params = spec_.member("paramKind").exists(), .has_variables = true}) {
    out_.name = policy.name();
  }

  AdmissionPolicy read() {
    out_.match = read_policy_criteria(spec_.member("matchConstraints"));
    out_.ignores_failures = spec_.member("failurePolicy") == "Ignore";
    out_.may_be_reinvoked = spec_.member("reinvocationPolicy") == "IfNeeded";
    if (const View kind = spec_.member("paramKind")) {
      out_.param_kind = {.api_version = std::string(kind.member("apiVersion").text()),
                         .kind = std::string(kind.member("kind").text())};
    }
    for (const View variable : spec_.member("variables").elements()) read_variable(variable);
    for (const View condition : spec_.member("matchConditions").elements()) {
      if (auto program = compile(ExpressionUse::condition, condition)) out_.conditions.push_back(std::move(*program));
    }
    if (kind_ == PolicyKind::mutating) {
      for (const View mutation : spec_.member("mutations").elements()) read_mutation(mutation);
    } else {
      for (const View validation : spec_.member("validations").elements()) read_validation(validation);
      for (const View annotation : spec_.member("auditAnnotations").elements()) read_annotation(annotation);
    }
    return std::move(out_);
  }

 private:
  // Returns nothing for an expression that does not compile.
  std::optional<cel::Program> keep(Result<cel::Program> program) {
    if (program) return std::move(*program);
    out_.error = "compilation error: " + program.error().message;
    return std::nullopt;
  }
  std::optional<cel::Program> compile(ExpressionUse use, View owner, std::string_view name = "expression") {
    return keep(compiler_.compile(use, owner.member(name).text()));
  }

  void read_variable(View variable) {
    std::string name(variable.member("name").text());
    auto program = keep(compiler_.add_variable(name, variable.member("expression").text()));
    if (program) out_.variables.emplace_back(std::move(name), std::move(*program));
  }

  void read_validation(View validation) {
    auto expression = compile(ExpressionUse::validation, validation);
    if (!expression) return;
    AdmissionPolicy::Validation out{.expression = std::move(*expression),
                                    .message = std::string(validation.member("message").text()),
                                    .reason = std::string(validation.member("reason").text())};
    if (!validation.member("messageExpression").text().empty()) {
      out.message_expression = compile(ExpressionUse::message, validation, "messageExpression");
    }
    out_.validations.push_back(std::move(out));
  }

  void read_annotation(View annotation) {
    auto program = compile(ExpressionUse::annotation, annotation, "valueExpression");
    if (program) out_.annotations.emplace_back(annotation.member("key").text(), std::move(*program));
  }

  void read_mutation(View mutation) {
    const bool is_json_patch = mutation.member("patchType") == "JSONPatch";
    auto program = is_json_patch ? compile(ExpressionUse::json_patch, mutation.member("jsonPatch"))
                                 : compile(ExpressionUse::apply, mutation.member("applyConfiguration"));
    if (program) out_.mutations.push_back({.expression = std::move(*program), .is_json_patch = is_json_patch});
  }

  const PolicyKind kind_;
  const View spec_;
  ExpressionCompiler compiler_;
  AdmissionPolicy out_;
};

}  // namespace

AdmissionPolicy read_policy(PolicyKind kind, const Object& policy) { return PolicyReader(kind, policy).read(); }

PolicyBinding read_policy_binding(const Object& binding) {
  const View spec = binding["/spec"];
  PolicyBinding out{.name = std::string(binding.name()),
                    .policy = std::string(spec.member("policyName").text()),
                    .match = read_policy_criteria(spec.member("matchResources"))};
  for (const View action : spec.member("validationActions").elements()) out.actions.emplace_back(action.text());
  const View ref = spec.member("paramRef");
  if (!ref) return out;
  out.params = {.name = std::string(ref.member("name").text()),
                .namespace_ = std::string(ref.member("namespace").text()),
                .denies_if_missing = ref.member("parameterNotFoundAction") == "Deny"};
  if (const View given = ref.member("selector")) {
    auto selector = LabelSelector::from_json(given);
    if (!selector) out.match.error = selector.error().message;
    if (selector) out.params->selector = std::move(*selector);
  }
  return out;
}

}  // namespace pintle::apiserver
