// SPDX-License-Identifier: Apache-2.0
// The values that the expressions of webhooks and policies read, and the budget of their evaluation.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <pintle/base/result.hpp>
#include <pintle/cel/program.hpp>
#include <pintle/json/value.hpp>

#include "admission_context.hpp"

namespace pintle::apiserver {

// Valid as long as the request. Null stands for no object.
struct ExpressionInputs {
  const AdmissionContext& context;
  const json::Value& object;
  const json::Value& old_object;
  const json::Value& request;  // that of an AdmissionReview
};

// Returns the values of `object`, `oldObject`, `request`, `namespaceObject`, `authorizer` and
// `authorizer.requestResource`. They refer to the inputs.
[[nodiscard]] cel::Activation activation_of(const ExpressionInputs& inputs);

// The units that several expressions may cost together. Each expression may cost at most a million.
class ExpressionBudget {
 public:
  explicit ExpressionBudget(std::uint64_t units) : left_(units) {}

  // Error: invalid. The message names the expression, unless the budget is spent: then Error::reason is
  // cel::cost_exceeded, and no further expression may be evaluated.
  [[nodiscard]] Result<cel::Value> evaluate(const cel::Program& program, const cel::Activation& activation);
  // Evaluates a part of an expression. Its cost is charged together with that of the expression. The message of an
  // error is that of CEL.
  [[nodiscard]] Result<cel::Value> evaluate_part(const cel::Program& program, const cel::Activation& activation);

 private:
  std::uint64_t left_;
  std::uint64_t parts_ = 0;  // cost of the parts that have not been charged yet
};

// Whether all match conditions hold.
struct ConditionsOutcome {
  bool is_met = true;
  std::string error{};  // not empty: no condition is false, but one or more could not be evaluated
};
// As in kube-apiserver, `namespaceObject` is null in them.
[[nodiscard]] ConditionsOutcome evaluate_conditions(const std::vector<cel::Program>& conditions,
                                                    cel::Activation activation, ExpressionBudget& budget);

// The budget of all match conditions of one webhook or policy.
inline constexpr std::uint64_t conditions_budget = 2'500'000;

}  // namespace pintle::apiserver
