// SPDX-License-Identifier: Apache-2.0
// K8sDiff: the changes that the objects of a phase need.
#pragma once

#include <concepts>
#include <string>
#include <type_traits>
#include <utility>

#include <pintle/base/result.hpp>
#include <pintle/controller/outcome.hpp>

namespace pintle::phased {

/// A value type. If several flags are set, objects are created first, then updated, then deleted.
struct K8sDiff {
  bool need_create = false;
  bool need_update = false;
  bool need_delete = false;
  std::string diff{};  ///< a description of the differences, for humans
};

/// The return value of K8sPhaseReconciler::diff(): a difference, or the outcome of the reconcile if there is no
/// difference to act on.
class [[nodiscard]] K8sDiffOutcome {
 public:
  K8sDiffOutcome(K8sDiff diff) : diff_(std::move(diff)) {}  // NOLINT(google-explicit-constructor)
  K8sDiffOutcome(Result<K8sDiff> diff)                      // NOLINT(google-explicit-constructor)
      : outcome_(done) {
    if (diff) {
      diff_ = std::move(*diff);
    } else {
      outcome_ = failed(std::move(diff.error()));
    }
  }
  template <std::convertible_to<Outcome> O>
    requires(!std::same_as<std::remove_cvref_t<O>, Result<K8sDiff>>)
  K8sDiffOutcome(O&& outcome) : outcome_(std::forward<O>(outcome)) {}  // NOLINT(google-explicit-constructor)

  /// If it is `done`, the phase makes the changes of diff(), if any, and then calls on_success(). Any other outcome
  /// ends the phase.
  [[nodiscard]] const Outcome& outcome() const noexcept { return outcome_; }
  [[nodiscard]] const K8sDiff& diff() const noexcept { return diff_; }

 private:
  K8sDiff diff_{};
  Outcome outcome_ = done;
};

}  // namespace pintle::phased
