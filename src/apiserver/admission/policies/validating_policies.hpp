// SPDX-License-Identifier: Apache-2.0
// Evaluates the ValidatingAdmissionPolicies that apply to a request.
#pragma once

#include <vector>

#include <pintle/json/value.hpp>

#include "apiserver/admission/admission_context.hpp"
#include "policy.hpp"

namespace pintle::apiserver {

// Evaluates all policies, also after a denial, so that all warnings and audit annotations are collected. Returns the
// first denial, in the order of the names of policies and bindings.
[[nodiscard]] StatusOr<void> evaluate_validating(const AdmissionContext& context,
                                                 const std::vector<BoundPolicy>& policies, const json::Value& object,
                                                 const json::Value& old_object);

}  // namespace pintle::apiserver
