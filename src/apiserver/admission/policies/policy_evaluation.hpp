// SPDX-License-Identifier: Apache-2.0
// PolicyEvaluation: the values that the expressions of one invocation of a policy read.
#pragma once

#include <cstdint>

#include <pintle/cel/program.hpp>
#include <pintle/json/value.hpp>

#include "apiserver/admission/admission_context.hpp"
#include "apiserver/admission/expression_inputs.hpp"
#include "policy_match.hpp"

namespace pintle::apiserver {

// The budget of the expressions of one invocation.
inline constexpr std::uint64_t policy_budget = 10'000'000;

// Valid as long as the invocation and the context.
class PolicyEvaluation {
 public:
  // `object` and `old_object` have the version of the request. Refuses objects that cannot be converted.
  [[nodiscard]] static StatusOr<PolicyEvaluation> create(const AdmissionContext& context,
                                                         const PolicyInvocation& invocation, const json::Value& object,
                                                         const json::Value& old_object);

  // The object in the version of the policy. activation() refers to it.
  [[nodiscard]] json::Value& object() noexcept { return object_; }
  // Returns all variables. The variables of the policy have not been evaluated.
  [[nodiscard]] cel::Activation activation(ExpressionBudget& budget) const;
  [[nodiscard]] ConditionsOutcome conditions() const;

 private:
  PolicyEvaluation(const AdmissionContext& context, const PolicyInvocation& invocation)
      : context_(context), invocation_(invocation) {}
  [[nodiscard]] cel::Activation activation(ExpressionBudget& budget, const json::Value& request) const;

  const AdmissionContext& context_;
  const PolicyInvocation& invocation_;
  json::Value object_{};
  json::Value old_object_{};
  json::Value request_{};
};

}  // namespace pintle::apiserver
