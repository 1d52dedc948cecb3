// Outcome: the result of one reconcile. It determines when the next one runs.
#pragma once

#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

#include <pintle/base/result.hpp>
#include <pintle/base/time.hpp>

namespace pintle {

struct Settled {};
struct LookAgain {};
struct LookAgainIn {
  Duration delay{};
};

/// Nothing is left to do. The next change causes the next reconcile.
inline constexpr Settled settled{};
/// Not finished: requeue with exponential back-off. The back-off grows until a reconcile returns `settled` or a delay.
inline constexpr LookAgain look_again{};
/// Requeue after a delay, or earlier if another client makes a change. A delay of zero or less means immediately, but
/// if the reconcile that this causes returns the same again, the delay is 10 ms. Resets the back-off.
[[nodiscard]] constexpr LookAgainIn look_again_in(Duration delay) noexcept { return {delay}; }

/// One of the three above, or a failure. It can be constructed from each of them, from fail(error), and from a
/// Result<T>, whose value means `settled`. It cannot be constructed from Result<Outcome> or Result<bool>, because the
/// value would be lost.
class [[nodiscard]] Outcome {
 public:
  Outcome(Settled) noexcept : value_(Settled{}) {}                            // NOLINT(google-explicit-constructor)
  Outcome(LookAgain) noexcept : value_(LookAgain{}) {}                        // NOLINT(google-explicit-constructor)
  Outcome(LookAgainIn again) noexcept : value_(again) {}                      // NOLINT(google-explicit-constructor)
  Outcome(tl::unexpected<Error> error) : value_(std::move(error.value())) {}  // NOLINT(google-explicit-constructor)
  template <class T>
    requires(!std::is_same_v<T, bool> && !std::is_same_v<T, Outcome>)
  Outcome(Result<T> result) : value_(Settled{}) {  // NOLINT(google-explicit-constructor)
    if (!result) value_ = std::move(result.error());
  }

  /// The kind of the outcome. The functions that return a pointer return null for the other kinds.
  [[nodiscard]] bool is_settled() const noexcept { return std::holds_alternative<Settled>(value_); }
  [[nodiscard]] bool is_look_again() const noexcept { return std::holds_alternative<LookAgain>(value_); }
  [[nodiscard]] const LookAgainIn* as_look_again_in() const noexcept { return std::get_if<LookAgainIn>(&value_); }
  [[nodiscard]] const Error* as_failed() const noexcept { return std::get_if<Error>(&value_); }

 private:
  friend Outcome failed(Error error);
  explicit Outcome(Error error) : value_(std::move(error)) {}

  std::variant<Settled, LookAgain, LookAgainIn, Error> value_;
};

/// A failure. It is retried with back-off, unless the error is terminal (Error::terminal).
[[nodiscard]] inline Outcome failed(Error error) { return Outcome(std::move(error)); }

/// Combines the outcomes of two steps of one reconcile. A failure takes precedence; two failures are combined into one
/// with both messages. Without a failure the result is the shorter delay; without a delay it is `look_again` if one of
/// the two is, otherwise `settled`.
[[nodiscard]] Outcome merge(Outcome first, Outcome second);

/// The value of the label `result` in the metrics of controller-runtime: success, requeue, requeue_after or error.
[[nodiscard]] std::string_view metric_label(const Outcome& outcome) noexcept;

}  // namespace pintle
