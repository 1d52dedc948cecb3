// SPDX-License-Identifier: Apache-2.0
// ReadyStatus: a status with the Ready condition, the last phase and the last error of an object.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/controller/status_writer.hpp>
#include <pintle/object/condition.hpp>
#include <pintle/object/fields.hpp>

namespace pintle {

/// The members that the functions below write, and `phase`, which the phased pattern writes. Use it as the status of a
/// kind, or define members with these names in your own status struct. A plain value.
struct ReadyStatus {
  std::vector<StatusCondition> conditions{};
  std::optional<std::string> phase{};
  bool is_on_error = false;
  std::optional<std::string> last_error_message{};
  std::int64_t observed_generation = 0;

  static constexpr auto fields() {
    return pintle::fields(
        field("conditions", &ReadyStatus::conditions, "The current conditions."),
        field("phase", &ReadyStatus::phase, "The phase that the last reconcile reached; \"running\" after all phases."),
        field("isOnError", &ReadyStatus::is_on_error, "Whether the last reconcile failed."),
        field("lastErrorMessage", &ReadyStatus::last_error_message, "The error of the last reconcile, if it failed."),
        field("observedGeneration", &ReadyStatus::observed_generation,
              "The metadata.generation of the last reconcile."));
  }
};

/// Sets condition Ready to False with the reason "Initialize", unless the status has a condition Ready already.
PINTLE_EXPORT void report_started(StatusDraft& status);
/// Sets condition Ready to True with the reason "Ready", and removes the error.
PINTLE_EXPORT void report_ready(StatusDraft& status);
/// Sets condition Ready to False with this reason, for example "Waiting", and removes the error.
PINTLE_EXPORT void report_waiting(StatusDraft& status, std::string_view reason);
/// Sets condition Ready to failed_condition(), and stores the error.
PINTLE_EXPORT void report_failed(StatusDraft& status, const Error& error);

/// Returns a condition of this type with status False, reason "Failed" and the first 100 bytes of the error as message.
[[nodiscard]] PINTLE_EXPORT StatusCondition failed_condition(std::string type, const Error& error);

}  // namespace pintle
