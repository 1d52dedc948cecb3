// SPDX-License-Identifier: Apache-2.0
#include <pintle/controller/ready_status.hpp>

#include <utility>

#include <pintle/base/utf8.hpp>

namespace pintle {
namespace {

constexpr const char* ready_type = "Ready";
constexpr std::size_t max_message_length = 100;

void report_no_error(StatusDraft& status) {
  status.set("/isOnError", false);
  status.remove("/lastErrorMessage");
  status.set("/observedGeneration", status.generation());
}

}  // namespace

void report_started(StatusDraft& status) {
  if (find_condition(Object(json::object{{"status", status.value()}}), ready_type)) return;
  status.set_condition({.type = ready_type, .status = ConditionStatus::false_, .reason = "Initialize"});
}

void report_ready(StatusDraft& status) {
  status.set_condition({.type = ready_type, .status = ConditionStatus::true_, .reason = "Ready"});
  report_no_error(status);
}

void report_waiting(StatusDraft& status, std::string_view reason) {
  status.set_condition({.type = ready_type, .status = ConditionStatus::false_, .reason = std::string(reason)});
  report_no_error(status);
}

void report_failed(StatusDraft& status, const Error& error) {
  status.set_condition(failed_condition(ready_type, error));
  status.set("/isOnError", true);
  status.set("/lastErrorMessage", error.to_string());
  status.set("/observedGeneration", status.generation());
}

StatusCondition failed_condition(std::string type, const Error& error) {
  return {.type = std::move(type),
          .status = ConditionStatus::false_,
          .reason = "Failed",
          .message = std::string(truncate_utf8(error.to_string(), max_message_length))};
}

}  // namespace pintle
