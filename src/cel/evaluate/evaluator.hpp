// SPDX-License-Identifier: Apache-2.0
// evaluate(): the value of a checked expression.
#pragma once

#include <pintle/base/result.hpp>
#include <pintle/cel/program.hpp>
#include <pintle/cel/value.hpp>

#include "cel/check/checked.hpp"
#include "meter.hpp"

namespace pintle::cel {

// Evaluates an expression without issues.
[[nodiscard]] Result<Value> evaluate(const CheckedAst& program, const Activation& activation, Meter& meter);

// Evaluates a part that reads no variables.
[[nodiscard]] Result<Value> evaluate_part(const CheckedAst& program, NodeId part, Meter& meter);

}  // namespace pintle::cel
