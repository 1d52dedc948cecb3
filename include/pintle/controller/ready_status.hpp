// ReadyStatus: a status that tells people whether an object is as they want it, and what is wrong if not.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/controller/status_writer.hpp>
#include <pintle/object/condition.hpp>
#include <pintle/object/fields.hpp>

namespace pintle {

// What the functions below write. Use it as the status of a kind, or have members of these names in your own. A plain
// value.
struct ReadyStatus {
  std::vector<StatusCondition> conditions{};
  std::optional<std::string> phase{};
  bool is_on_error = false;
  std::optional<std::string> last_error_message{};
  std::int64_t observed_generation = 0;

  static constexpr auto fields() {
    return pintle::fields(
        field("conditions", &ReadyStatus::conditions, "What is so at the moment."),
        field("phase", &ReadyStatus::phase, "The phase that the last pass came to, or \"running\" after them all."),
        field("isOnError", &ReadyStatus::is_on_error, "Whether the last pass failed."),
        field("lastErrorMessage", &ReadyStatus::last_error_message, "Why it failed."),
        field("observedGeneration", &ReadyStatus::observed_generation, "The generation that the last pass was about."));
  }
};

// Condition Ready is False, "Initialize", for an object that does not have it yet.
void report_begun(StatusDraft& status);
// Condition Ready is True, "Ready", and there is no error.
void report_ready(StatusDraft& status);
// Condition Ready is False with this reason ("Waiting"), and there is no error.
void report_waiting(StatusDraft& status, std::string_view reason);
// Condition Ready is failed_condition(), and the error is recorded.
void report_failed(StatusDraft& status, const Error& error);

// The condition of this type that is False, "Failed", with the first 100 bytes of the error.
[[nodiscard]] StatusCondition failed_condition(std::string type, const Error& error);

}  // namespace pintle
