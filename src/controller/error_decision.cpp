// SPDX-License-Identifier: Apache-2.0
#include <pintle/controller/error_decision.hpp>

namespace pintle {

bool was_interrupted(const Error& error, const Context& context) {
  return error.code == ErrorCode::cancelled && context.stop_token().stop_requested() &&
         context.executor().now() < context.deadline();
}

Outcome ErrorDecision::outcome() const {
  if (const auto* outcome = std::get_if<Outcome>(&value_)) return *outcome;
  if (const auto* error = std::get_if<Error>(&value_)) return failed(*error);
  return done;
}

Outcome ErrorDecision::cleanup_outcome() const {
  Outcome outcome = this->outcome();
  return outcome.is_done() ? Outcome(requeue) : outcome;
}

ErrorDecision decide_on_error(const Error& error, const Context& context,
                              const std::function<ErrorDecision(const Error&)>& hook) {
  if (was_interrupted(error, context)) return propagate(error);
  ErrorDecision verdict = hook(error);
  if (verdict.is_handled()) context.log().info("error handled", {{"error", error.to_string()}});
  return verdict;
}

}  // namespace pintle
