// SPDX-License-Identifier: Apache-2.0
#include "validating_policies.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "policy_evaluation.hpp"
#include "policy_match.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;

struct PolicyDenial {
  std::size_t validation = 0;  // the index of the expression
  std::string message{};
  std::string reason{};  // "" after an error
};

// Removes the white space at both ends.
std::string_view trimmed(std::string_view text) {
  constexpr std::string_view space = " \t\r\n\f\v";
  const std::size_t begin = text.find_first_not_of(space);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(space) - begin + 1);
}

// One run of a policy.
class ValidatingRun {
 public:
  ValidatingRun(const PolicyInvocation& invocation, PolicyEvaluation evaluation)
      : policy_(invocation.policy), evaluation_(std::move(evaluation)), budget_(policy_budget) {}

  void run() {
    const auto conditions = evaluation_.conditions();
    if (!conditions.error.empty()) return deny_error(0, conditions.error);
    if (!conditions.is_met) return;
    if (evaluate_validations()) evaluate_annotations();
  }

  [[nodiscard]] const std::vector<PolicyDenial>& denials() const noexcept { return denials_; }
  // The errors of audit annotations. They deny the request whatever the actions of the binding.
  [[nodiscard]] const std::vector<std::string>& annotation_errors() const noexcept { return annotation_errors_; }
  [[nodiscard]] const std::vector<std::pair<std::string, std::string>>& annotations() const noexcept {
    return annotations_;
  }

 private:
  void deny_error(std::size_t validation, std::string message) {
    if (policy_.ignores_failures) return;
    denials_.push_back({.validation = validation, .message = std::move(message)});
  }

  // Returns false if the budget is spent.
  bool evaluate_validations() {
    const auto activation = evaluation_.activation(budget_);
    std::vector<Result<cel::Value>> results;
    for (const auto& validation : policy_.validations) {
      results.push_back(budget_.evaluate(validation.expression, activation));
      if (results.back() || results.back().error().reason != cel::cost_exceeded) continue;
      deny_error(0, results.back().error().message);
      return false;
    }
    const auto messages = evaluate_messages();
    for (std::size_t i = 0; i < results.size(); ++i) {
      if (!results[i]) {
        deny_error(i, results[i].error().message);
      } else if (!messages) {
        deny_error(i, "failed messageExpression: " + messages.error().message);
      } else if (!results[i]->as_bool().value_or(false)) {
        const auto& validation = policy_.validations[i];
        denials_.push_back({.validation = i,
                            .message = message_of(validation, (*messages)[i]),
                            .reason = validation.reason.empty() ? "Invalid" : validation.reason});
      }
    }
    return true;
  }

  // Returns the message of each validation; "" if it has no expression or the message cannot be used. All expressions
  // are evaluated, because their cost counts. Error: the budget is spent.
  Result<std::vector<std::string>> evaluate_messages() {
    const auto activation = evaluation_.activation(budget_);
    std::vector<std::string> out;
    for (const auto& validation : policy_.validations) {
      out.emplace_back();
      if (!validation.message_expression) continue;
      const auto value = budget_.evaluate(*validation.message_expression, activation);
      if (!value && value.error().reason == cel::cost_exceeded) return fail(value.error());
      if (value) out.back() = usable_message(*value);
    }
    return out;
  }

  static std::string usable_message(const cel::Value& value) {
    constexpr std::size_t max_size = 5 * 1024;
    const std::string_view text = trimmed(value.as_string().value_or(""));
    const bool is_usable = text.size() <= max_size && text.find('\n') == std::string_view::npos;
    return is_usable ? std::string(text) : std::string();
  }

  static std::string message_of(const AdmissionPolicy::Validation& validation, const std::string& evaluated) {
    if (!evaluated.empty()) return evaluated;
    if (const auto message = trimmed(validation.message); !message.empty()) return std::string(message);
    return fmt::format("failed expression: {}", trimmed(validation.expression.text()));
  }

  void evaluate_annotations() {
    if (policy_.annotations.empty()) return;
    ExpressionBudget budget(policy_budget);
    const auto activation = evaluation_.activation(budget);
    for (const auto& [key, expression] : policy_.annotations) {
      const auto value = budget.evaluate(expression, activation);
      if (!value) {
        if (!policy_.ignores_failures) annotation_errors_.push_back(value.error().message);
        if (value.error().reason == cel::cost_exceeded) return;
        continue;
      }
      const std::string_view text = trimmed(value->as_string().value_or(""));
      if (!text.empty()) annotations_.emplace_back(key, text);
    }
  }

  const AdmissionPolicy& policy_;
  PolicyEvaluation evaluation_;
  ExpressionBudget budget_;
  std::vector<PolicyDenial> denials_;
  std::vector<std::string> annotation_errors_;
  std::vector<std::pair<std::string, std::string>> annotations_;
};

// The validating phase of one request.
class ValidatingPhase {
 public:
  ValidatingPhase(const AdmissionContext& context, const Value& object, const Value& old_object)
      : context_(context), object_(object), old_object_(old_object) {}

  StatusOr<void> run(const std::vector<BoundPolicy>& policies) {
    const MatchedPolicies matched = match_policies(context_, policies, object_, old_object_);
    for (const PolicyFailure& failure : matched.failures) deny(failure, "");
    for (const PolicyInvocation& invocation : matched.invocations) evaluate(invocation);
    publish_annotations();
    if (refusal_) return refuse(std::move(*refusal_));
    return {};
  }

 private:
  void evaluate(const PolicyInvocation& invocation) {
    const AdmissionPolicy& policy = invocation.policy;
    const PolicyBinding& binding = invocation.binding;
    auto evaluation = PolicyEvaluation::create(context_, invocation, object_, old_object_);
    if (!evaluation) {
      if (policy.ignores_failures) return;
      return deny(
          {.policy = policy.name,
           .message = "failed to configure policy: failed to convert object version: " + evaluation.error().message},
          "");
    }
    ValidatingRun run(invocation, std::move(*evaluation));
    run.run();
    for (const PolicyDenial& denial : run.denials()) {
      for (const std::string& action : binding.actions) act(action, invocation, denial);
    }
    for (const std::string& error : run.annotation_errors()) {
      deny({.policy = policy.name, .binding = binding.name, .message = error}, "");
    }
    for (const auto& [key, value] : run.annotations()) add_annotation(policy.name + "/" + key, value);
  }

  void act(std::string_view action, const PolicyInvocation& invocation, const PolicyDenial& denial) {
    const std::string& policy = invocation.policy.name;
    const PolicyBinding& binding = invocation.binding;
    if (action == "Deny") {
      deny({.policy = policy, .binding = binding.name, .message = denial.message}, denial.reason);
    } else if (action == "Warn") {
      context_.warnings.push_back(
          fmt::format("Validation failed for ValidatingAdmissionPolicy '{}' with binding '{}': "
                      "{}",
                      policy, binding.name, denial.message));
    } else if (action == "Audit") {
      const json::object entry{{"message", denial.message},
                               {"policy", policy},
                               {"binding", binding.name},
                               {"expressionIndex", denial.validation},
                               {"validationActions", json::array(binding.actions.begin(), binding.actions.end())}};
      context_.audit.add(context_.attributes, "validation.policy.admission.k8s.io/validation_failure",
                         json::print(json::array{entry}));
    }
  }

  // Keeps the first denial.
  void deny(const PolicyFailure& failure, const std::string& reason) {
    if (refusal_) return;
    const std::string with = failure.binding.empty() ? "" : fmt::format(" with binding '{}'", failure.binding);
    const std::string message =
        fmt::format("ValidatingAdmissionPolicy '{}'{} denied request: {}", failure.policy, with, failure.message);
    refusal_ = policy_refusal(context_, object_, message);
    refusal_->reason = reason.empty() ? "Invalid" : reason;
    refusal_->code = refusal_->reason == "Forbidden" ? 403 : refusal_->reason == "RequestEntityTooLarge" ? 413 : 422;
    refusal_->details->causes.push_back({.message = message});
  }

  // Several bindings may give one key different values.
  void add_annotation(const std::string& key, const std::string& value) {
    std::vector<std::string>& values = annotations_[key];
    if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
  }

  void publish_annotations() {
    for (const auto& [key, values] : annotations_) {
      context_.audit.add(context_.attributes, key, fmt::format("{}", fmt::join(values, ", ")));
    }
  }

  const AdmissionContext& context_;
  const Value& object_;
  const Value& old_object_;
  std::optional<Refusal> refusal_;
  std::map<std::string, std::vector<std::string>> annotations_;
};

}  // namespace

StatusOr<void> evaluate_validating(const AdmissionContext& context, const std::vector<BoundPolicy>& policies,
                                   const Value& object, const Value& old_object) {
  return ValidatingPhase(context, object, old_object).run(policies);
}

}  // namespace pintle::apiserver
