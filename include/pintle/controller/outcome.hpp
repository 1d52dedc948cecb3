// SPDX-License-Identifier: Apache-2.0
// Outcome: the result of one reconcile. It determines when the next one runs.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

#include <pintle/base/annotations.hpp>
#include <pintle/base/result.hpp>
#include <pintle/base/time.hpp>

namespace pintle {

struct Done {};
struct Requeue {};
struct RequeueAfter {
  Duration delay{};
};

/// Nothing is left to do. The next change causes the next reconcile.
inline constexpr Done done{};
/// Not finished: requeue with exponential back-off. The back-off grows until a reconcile returns `done`, a delay or a
/// terminal error.
inline constexpr Requeue requeue{};
/// Requeue after a delay, or earlier if another client makes a change. A delay of zero or less means immediately. If
/// several reconciles in a row return a delay below 10 ms, each delay after the first is 10 ms, unless another client
/// makes a change in between. Resets the back-off.
[[nodiscard]] constexpr RequeueAfter requeue_after(Duration delay) noexcept { return {delay}; }

/// One of the three above, or a failure. It can be constructed from each of them, from an Error, from fail(error), and
/// from a Result<T>, whose value means `done`. It cannot be constructed from Result<Outcome> or Result<bool>, because
/// the value would be lost.
class [[nodiscard]] Outcome {
 public:
  Outcome(Done) noexcept {}                            // NOLINT(google-explicit-constructor)
  Outcome(Requeue) noexcept : kind_(Kind::requeue) {}  // NOLINT(google-explicit-constructor)
  Outcome(RequeueAfter again) noexcept
      : kind_(Kind::requeue_after), again_(again) {}                           // NOLINT(google-explicit-constructor)
  Outcome(Error error) : kind_(Kind::failed), error_(std::move(error)) {}      // NOLINT(google-explicit-constructor)
  Outcome(tl::unexpected<Error> error) : Outcome(std::move(error.value())) {}  // NOLINT(google-explicit-constructor)
  template <class T>
    requires(!std::is_same_v<T, bool> && !std::is_same_v<T, Outcome>)
  Outcome(Result<T> result) {  // NOLINT(google-explicit-constructor)
    if (!result) *this = std::move(result.error());
  }

  /// The kind of the outcome. The functions that return a pointer return null for the other kinds.
  [[nodiscard]] bool is_done() const noexcept { return kind_ == Kind::done; }
  [[nodiscard]] bool is_requeue() const noexcept { return kind_ == Kind::requeue; }
  [[nodiscard]] const RequeueAfter* as_requeue_after() const noexcept {
    return kind_ == Kind::requeue_after ? &again_ : nullptr;
  }
  [[nodiscard]] const Error* as_failed() const noexcept { return error_ ? &*error_ : nullptr; }

 private:
  // Not a std::variant, which takes longer to compile than the rest of this header.
  enum class Kind : std::uint8_t { done, requeue, requeue_after, failed };

  Kind kind_ = Kind::done;
  RequeueAfter again_{};
  std::optional<Error> error_{};
};

/// A failure. It is retried with back-off, unless the error is terminal (Error::terminal).
[[nodiscard]] inline Outcome failed(Error error) { return Outcome(std::move(error)); }

/// Combines the outcomes of two steps of one reconcile. A failure takes precedence; two failures are combined into one
/// with both messages. Without a failure, a delay takes precedence over `requeue`, and `requeue` over `done`; of two
/// delays the shorter one is returned.
[[nodiscard]] PINTLE_EXPORT Outcome merge(Outcome first, Outcome second);

/// The value of the label `result` in the metrics of controller-runtime: success, requeue, requeue_after or error.
[[nodiscard]] PINTLE_EXPORT std::string_view metric_label(const Outcome& outcome) noexcept;

}  // namespace pintle
