// SPDX-License-Identifier: Apache-2.0
#include "policy_evaluation.hpp"

#include <utility>

#include "apiserver/admission/admission_review.hpp"
#include "policy_variables.hpp"

namespace pintle::apiserver {

using json::Value;

StatusOr<PolicyEvaluation> PolicyEvaluation::create(const AdmissionContext& context, const PolicyInvocation& invocation,
                                                    const Value& object, const Value& old_object) {
  PolicyEvaluation out(context, invocation);
  for (const auto& [from, to] : {std::pair(&object, &out.object_), std::pair(&old_object, &out.old_object_)}) {
    auto converted = context.to_version(*from, context.attributes.resource, *invocation.resource);
    if (!converted) return refuse(std::move(converted.error()));
    *to = std::move(*converted);
  }
  out.request_ = admission_request(context.attributes, *invocation.resource);
  return out;
}

cel::Activation PolicyEvaluation::activation(ExpressionBudget& budget) const { return activation(budget, request_); }

cel::Activation PolicyEvaluation::activation(ExpressionBudget& budget, const Value& request) const {
  cel::Activation out =
      activation_of({.context = context_, .object = object_, .old_object = old_object_, .request = request});
  out["params"] = cel::Value::from_json(invocation_.params);
  add_variables(out, invocation_.policy, budget);
  return out;
}

ConditionsOutcome PolicyEvaluation::conditions() const {
  if (invocation_.policy.conditions.empty()) return {};
  ExpressionBudget budget(conditions_budget);
  const Value request = condition_request(context_.attributes, *invocation_.resource);
  return evaluate_conditions(invocation_.policy.conditions, activation(budget, request), budget);
}

}  // namespace pintle::apiserver
