// SPDX-License-Identifier: Apache-2.0
// The value of `variables` in the expressions of a policy.
#pragma once

#include <pintle/cel/program.hpp>
#include <pintle/cel/value.hpp>

#include "apiserver/admission/expression_inputs.hpp"
#include "policy.hpp"

namespace pintle::apiserver {

// Adds `variables` to an activation, which contains all other values. A variable is evaluated when an expression first
// reads it, and at most once. `policy` and `budget` must outlive the activation, which must be used by one thread.
void add_variables(cel::Activation& activation, const AdmissionPolicy& policy, ExpressionBudget& budget);

}  // namespace pintle::apiserver
