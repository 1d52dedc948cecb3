// SPDX-License-Identifier: Apache-2.0
// Applies one mutation of a MutatingAdmissionPolicy.
#pragma once

#include <string>

#include <pintle/json/value.hpp>

#include "policy_evaluation.hpp"

namespace pintle::apiserver {

// Evaluates the expression of a mutation and applies its result to the object of the evaluation. Error: a failure of
// the policy, with the text of kube-apiserver; a refusal means that the result is no object of the kind.
struct MutationOutcome {
  std::string failure{};  // "": the object is changed, or the patch changes nothing
};
[[nodiscard]] StatusOr<MutationOutcome> apply_mutation(const AdmissionContext& context,
                                                       const PolicyInvocation& invocation,
                                                       const AdmissionPolicy::Mutation& mutation,
                                                       PolicyEvaluation& evaluation);

}  // namespace pintle::apiserver
