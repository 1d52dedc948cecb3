#include <pintle/controller/error_verdict.hpp>

namespace pintle {

bool was_cut_short(const Error& error, const Context& context) {
  return error.code == ErrorCode::cancelled && context.stop_token().stop_requested() &&
         context.executor().now() < context.deadline();
}

Outcome ErrorVerdict::outcome() const {
  if (const auto* outcome = std::get_if<Outcome>(&value_)) return *outcome;
  if (const auto* error = std::get_if<Error>(&value_)) return failed(*error);
  return settled;
}

Outcome ErrorVerdict::outcome_of_cleanup() const {
  Outcome outcome = this->outcome();
  return outcome.is_settled() ? Outcome(look_again) : outcome;
}

ErrorVerdict verdict_on(const Error& error, const Context& context,
                        const std::function<ErrorVerdict(const Error&)>& hook) {
  if (was_cut_short(error, context)) return propagate(error);
  ErrorVerdict verdict = hook(error);
  if (verdict.is_handled()) context.log().info("error handled", {{"error", error.to_string()}});
  return verdict;
}

}  // namespace pintle
