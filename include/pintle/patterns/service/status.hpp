// SPDX-License-Identifier: Apache-2.0
// The status of an API object: its phase, its Ready condition, and the generation to which both refer.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/controller/status_writer.hpp>
#include <pintle/object/condition.hpp>
#include <pintle/object/fields.hpp>

namespace pintle::service {

inline constexpr std::string_view ready_condition = "Ready";

inline constexpr std::string_view phase_ready = "Ready";              ///< the service is ready
inline constexpr std::string_view phase_progressing = "Progressing";  ///< being created or updated
inline constexpr std::string_view phase_terminating = "Terminating";  ///< being deleted

inline constexpr std::string_view reason_reconcile_error = "ReconcileError";
inline constexpr std::string_view reason_waiting_for_access = "WaitingForClusterAccess";
inline constexpr std::string_view reason_access_denied = "ClusterAccessDenied";
/// A reason of the condition cleaned_up_condition(), and of an Event: the domain did not clean up, because it cannot
/// get access any more. Also a reason of condition Ready: the deletion waits for a cluster that cannot be obtained.
inline constexpr std::string_view reason_access_lost = "ClusterAccessLost";

/// "<finalizer>.CleanedUp". The condition is False once the domain has been called for an object. It is True once the
/// domain of that finalizer has cleaned up after an object that is being deleted, or cannot do so any more
/// (reason_access_lost). `remove` is then not called again, by any process.
[[nodiscard]] PINTLE_EXPORT std::string cleaned_up_condition(std::string_view finalizer);

/// The status of every API kind. A custom struct with these three members, and further ones, can be used instead.
struct Status {
  std::string phase{};
  std::int64_t observed_generation = 0;
  std::vector<StatusCondition> conditions{};

  static constexpr auto fields() {
    return pintle::fields(
        field("phase", &Status::phase, "Ready, Progressing or Terminating.").column("Phase"),
        field("observedGeneration", &Status::observed_generation, "The generation to which the phase refers."),
        field("conditions", &Status::conditions, "The current conditions."));
  }
};

/// A kind whose objects the users of the onboarding cluster create. It has this status, and the name of the finalizer
/// that the provider adds: `static constexpr std::string_view finalizer = "demo.pintle.dev/finalizer";`.
template <class T>
concept Api = Described<T> && requires(T api) {
  { std::string_view(T::finalizer) };
  { api.status.phase } -> std::same_as<std::string&>;
  { api.status.observed_generation } -> std::same_as<std::int64_t&>;
  { api.status.conditions } -> std::same_as<std::vector<StatusCondition>&>;
};

/// These functions set the phase, the Ready condition, and the generation of both, as in status_ready(ctx.status()).
/// The last call counts. The status is written when the reconcile ends, even if it failed.
PINTLE_EXPORT void status_ready(StatusDraft& status);
PINTLE_EXPORT void status_progressing(StatusDraft& status, std::string_view reason, std::string_view message);
PINTLE_EXPORT void status_terminating(StatusDraft& status);
PINTLE_EXPORT void status_terminating(StatusDraft& status, std::string_view reason, std::string_view message);

}  // namespace pintle::service
