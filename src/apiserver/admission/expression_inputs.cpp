// SPDX-License-Identifier: Apache-2.0
#include "expression_inputs.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "apiserver/expressions/admission_types.hpp"
#include "apiserver/expressions/authorizer.hpp"

namespace pintle::apiserver {
namespace {

constexpr std::uint64_t max_cost = 1'000'000;  // of one expression

std::string joined(const std::vector<std::string>& errors) {
  if (errors.empty()) return {};
  if (errors.size() == 1) return errors.front();
  return fmt::format("[{}]", fmt::join(errors, ", "));
}

AuthorizerQuery request_resource(const Attributes& attributes) {
  return {.group = attributes.resource.group,
          .resource = attributes.resource.plural,
          .subresource = std::string(attributes.subresource),
          .namespace_ = std::string(attributes.namespace_),
          .name = attributes.name};
}

}  // namespace

cel::Activation activation_of(const ExpressionInputs& inputs) {
  static const cel::Type request_type = admission_request_type();
  static const cel::Type space_type = namespace_type();
  const Object& space = inputs.context.space;
  const Attributes& attributes = inputs.context.attributes;
  const AuthorizerFunction checks = inputs.context.authorizer.checks_of(attributes.user);
  return {{"object", cel::Value::from_json(inputs.object)},
          {"oldObject", cel::Value::from_json(inputs.old_object)},
          {"request", cel::Value::from_json(inputs.request, request_type)},
          {"namespaceObject", space ? cel::Value::from_json(space.root(), space_type) : cel::Value::null()},
          {"authorizer", make_authorizer(checks)},
          {"authorizer.requestResource", make_request_resource(checks, request_resource(attributes))}};
}

Result<cel::Value> ExpressionBudget::evaluate(const cel::Program& program, const cel::Activation& activation) {
  cel::Evaluation evaluation = program.evaluate(activation, {.max_cost = max_cost});
  const std::uint64_t cost = evaluation.cost + std::exchange(parts_, 0);
  if (cost > left_) {
    left_ = 0;
    Error error = make_error(ErrorCode::invalid,
                             "validation failed due to running out of cost budget, no further validation rules will be "
                             "run");
    error.reason = cel::cost_exceeded;
    return fail(std::move(error));
  }
  left_ -= cost;
  if (evaluation.value) return std::move(evaluation.value);
  return fail(ErrorCode::invalid,
              fmt::format("expression '{}' resulted in error: {}", program.text(), evaluation.value.error().message));
}

Result<cel::Value> ExpressionBudget::evaluate_part(const cel::Program& program, const cel::Activation& activation) {
  cel::Evaluation evaluation = program.evaluate(activation, {.max_cost = max_cost});
  parts_ += evaluation.cost;
  return std::move(evaluation.value);
}

ConditionsOutcome evaluate_conditions(const std::vector<cel::Program>& conditions, cel::Activation activation,
                                      ExpressionBudget& budget) {
  activation["namespaceObject"] = cel::Value::null();
  std::vector<std::string> errors;
  for (const cel::Program& condition : conditions) {
    const auto value = budget.evaluate(condition, activation);
    if (!value && value.error().reason == cel::cost_exceeded) return {.error = value.error().message};
    if (!value) {
      errors.push_back(value.error().message);
    } else if (!value->as_bool().value_or(false)) {
      return {.is_met = false};
    }
  }
  return {.error = joined(errors)};
}

}  // namespace pintle::apiserver
