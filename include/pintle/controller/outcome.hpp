// Outcome: what one pass over an object came to, and so when the next one is.
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

// All is as wanted; the next pass is for the next change.
inline constexpr Settled settled{};
// Not there yet: look again with back-off, which grows until a pass settles or names a time.
inline constexpr LookAgain look_again{};
// Look again after a delay, or earlier if somebody else changes something. Zero or less is now; a reconcile that this
// caused, and that asks for it again, waits 10 ms. The back-off starts over.
[[nodiscard]] constexpr LookAgainIn look_again_in(Duration delay) noexcept { return {delay}; }

// A sum of these and a failure. Made from any of them, from an Error, and from a Result<T>, whose value is then
// settled; not from Result<Outcome> or Result<bool>, where the value says something that would be lost.
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

  // What it is; the pointer is null for the others.
  [[nodiscard]] bool is_settled() const noexcept { return std::holds_alternative<Settled>(value_); }
  [[nodiscard]] bool is_look_again() const noexcept { return std::holds_alternative<LookAgain>(value_); }
  [[nodiscard]] const LookAgainIn* as_look_again_in() const noexcept { return std::get_if<LookAgainIn>(&value_); }
  [[nodiscard]] const Error* as_failed() const noexcept { return std::get_if<Error>(&value_); }

 private:
  friend Outcome failed(Error error);
  explicit Outcome(Error error) : value_(std::move(error)) {}

  std::variant<Settled, LookAgain, LookAgainIn, Error> value_;
};

// A failure: tried again with back-off, unless it is Error::terminal().
[[nodiscard]] inline Outcome failed(Error error) { return Outcome(std::move(error)); }

// What two steps of one pass come to together: a failure beats everything, and two are one that says both; else the
// shorter delay, else look_again, else settled.
[[nodiscard]] Outcome merge(Outcome first, Outcome second);

// The label that controller-runtime's metrics give it: success, requeue, requeue_after, error.
[[nodiscard]] std::string_view metric_label(const Outcome& outcome) noexcept;

}  // namespace pintle
