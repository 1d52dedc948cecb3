// ErrorVerdict: what the error hook of a pattern makes of an error, said in so many words.
#pragma once

#include <functional>
#include <utility>
#include <variant>

#include <pintle/controller/context.hpp>
#include <pintle/controller/outcome.hpp>

namespace pintle {

// A sum of three: the error is handled, and what comes next goes on; it is handled, and the pass ends with an outcome;
// it is passed on. Not made from an Outcome or an Error, so that no error is lost by accident. A plain value.
class [[nodiscard]] ErrorVerdict {
 public:
  struct Continue {};
  ErrorVerdict(Continue handled) noexcept : value_(handled) {}  // NOLINT(google-explicit-constructor)

  [[nodiscard]] bool goes_on() const noexcept { return std::holds_alternative<Continue>(value_); }
  [[nodiscard]] bool is_handled() const noexcept { return !std::holds_alternative<Error>(value_); }
  // Of the pass, where nothing comes next.
  [[nodiscard]] Outcome outcome() const;
  // Of a cleanup that failed: it has not been done whoever handled the error, so it never settles, and the finalizer
  // stays on.
  [[nodiscard]] Outcome outcome_of_cleanup() const;

 private:
  friend ErrorVerdict handled_stop(Outcome outcome);
  friend ErrorVerdict propagate(Error error);
  explicit ErrorVerdict(Outcome outcome) : value_(std::move(outcome)) {}
  explicit ErrorVerdict(Error error) : value_(std::move(error)) {}

  std::variant<Continue, Outcome, Error> value_;
};

inline constexpr ErrorVerdict::Continue handled_continue{};
[[nodiscard]] inline ErrorVerdict handled_stop(Outcome outcome = settled) { return ErrorVerdict(std::move(outcome)); }
[[nodiscard]] inline ErrorVerdict propagate(Error error) { return ErrorVerdict(std::move(error)); }

// Whether an error of this pass says no more than that the operator stops. The deadline of a pass stops it too, but
// that is a failure of its own.
[[nodiscard]] bool was_cut_short(const Error& error, const Context& context);

// Asks a hook about an error of this pass, and logs one that it handles. One that was cut short is passed on unasked.
[[nodiscard]] ErrorVerdict verdict_on(const Error& error, const Context& context,
                                      const std::function<ErrorVerdict(const Error&)>& hook);

}  // namespace pintle
