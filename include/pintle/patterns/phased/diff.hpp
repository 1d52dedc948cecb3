// K8sDiff: what has to happen to the objects of a phase.
#pragma once

#include <concepts>
#include <string>
#include <type_traits>
#include <utility>

#include <pintle/base/result.hpp>
#include <pintle/controller/outcome.hpp>

namespace pintle::phased {

// A plain value. All three may be set: objects are created, then updated, then deleted.
struct K8sDiff {
  bool need_create = false;
  bool need_update = false;
  bool need_delete = false;
  std::string diff{};  // what differs, for people
};

// What a phase answers when it is asked for its difference: that, or what the pass comes to without one.
class [[nodiscard]] K8sDiffOutcome {
 public:
  K8sDiffOutcome(K8sDiff diff) : diff_(std::move(diff)) {}  // NOLINT(google-explicit-constructor)
  K8sDiffOutcome(Result<K8sDiff> diff)                      // NOLINT(google-explicit-constructor)
      : outcome_(settled) {
    if (diff) {
      diff_ = std::move(*diff);
    } else {
      outcome_ = failed(std::move(diff.error()));
    }
  }
  template <std::convertible_to<Outcome> O>
    requires(!std::same_as<std::remove_cvref_t<O>, Result<K8sDiff>>)
  K8sDiffOutcome(O&& outcome) : outcome_(std::forward<O>(outcome)) {}  // NOLINT(google-explicit-constructor)

  // Settled when there is a difference to act on, which may be none.
  [[nodiscard]] const Outcome& outcome() const noexcept { return outcome_; }
  [[nodiscard]] const K8sDiff& diff() const noexcept { return diff_; }

 private:
  K8sDiff diff_{};
  Outcome outcome_ = settled;
};

}  // namespace pintle::phased
