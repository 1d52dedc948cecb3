// SPDX-License-Identifier: Apache-2.0
// ErrorDecision: the decision of an error hook: continue, stop with an outcome, or propagate the error.
#pragma once

#include <functional>
#include <utility>
#include <variant>

#include <pintle/base/annotations.hpp>
#include <pintle/controller/context.hpp>
#include <pintle/controller/outcome.hpp>

namespace pintle {

/// One of three decisions: the error is handled and the reconcile continues with the next step (handled_continue); the
/// error is handled and the reconcile ends with an outcome (handled_stop); the error is propagated (propagate). There
/// is no conversion from Outcome or Error, so that no error is dropped by accident. A plain value.
class [[nodiscard]] ErrorDecision {
 public:
  struct Continue {};
  ErrorDecision(Continue handled) noexcept : value_(handled) {}  // NOLINT(google-explicit-constructor)

  [[nodiscard]] bool continues() const noexcept { return std::holds_alternative<Continue>(value_); }
  [[nodiscard]] bool is_handled() const noexcept { return !std::holds_alternative<Error>(value_); }
  /// The outcome of the reconcile if no step follows: `done` for handled_continue, the given outcome for handled_stop,
  /// a failure for propagate.
  [[nodiscard]] PINTLE_EXPORT Outcome outcome() const;
  /// The outcome of a reconcile whose clean-up failed. It is never `done`, not even if the error was handled: the
  /// clean-up is not done, so the finalizer stays.
  [[nodiscard]] PINTLE_EXPORT Outcome cleanup_outcome() const;

 private:
  friend ErrorDecision handled_stop(Outcome outcome);
  friend ErrorDecision propagate(Error error);
  explicit ErrorDecision(Outcome outcome) : value_(std::move(outcome)) {}
  explicit ErrorDecision(Error error) : value_(std::move(error)) {}

  std::variant<Continue, Outcome, Error> value_;
};

inline constexpr ErrorDecision::Continue handled_continue{};
[[nodiscard]] inline ErrorDecision handled_stop(Outcome outcome = done) { return ErrorDecision(std::move(outcome)); }
[[nodiscard]] inline ErrorDecision propagate(Error error) { return ErrorDecision(std::move(error)); }

/// Returns whether an error only shows that the operator is stopping. Returns false for a cancellation at the deadline
/// of the reconcile, because that is a failure.
[[nodiscard]] PINTLE_EXPORT bool was_interrupted(const Error& error, const Context& context);

/// Calls a hook with an error of this reconcile, and logs the error if the hook handles it. If was_interrupted() is
/// true for the error, it is propagated and the hook is not called.
[[nodiscard]] PINTLE_EXPORT ErrorDecision decide_on_error(const Error& error, const Context& context,
                                                          const std::function<ErrorDecision(const Error&)>& hook);

}  // namespace pintle
