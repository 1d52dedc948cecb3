// SPDX-License-Identifier: Apache-2.0
#include <pintle/patterns/service/status.hpp>

namespace pintle::service {
namespace {

void set_phase(StatusDraft& status, std::string_view phase, ConditionStatus ready, std::string_view reason,
               std::string_view message) {
  status.set("/phase", phase);
  status.set("/observedGeneration", json::Value(status.generation()));
  status.set_condition({.type = std::string(ready_condition),
                        .status = ready,
                        .reason = std::string(reason),
                        .message = std::string(message)});
}

}  // namespace

std::string cleaned_up_condition(std::string_view finalizer) { return std::string(finalizer) + ".CleanedUp"; }

void status_ready(StatusDraft& status) {
  set_phase(status, phase_ready, ConditionStatus::true_, "ReconcileSuccess", "Domain Service is ready");
}

void status_progressing(StatusDraft& status, std::string_view reason, std::string_view message) {
  set_phase(status, phase_progressing, ConditionStatus::false_, reason, message);
}

void status_terminating(StatusDraft& status) { status_terminating(status, "Terminating", "Cleanup in progress"); }

void status_terminating(StatusDraft& status, std::string_view reason, std::string_view message) {
  set_phase(status, phase_terminating, ConditionStatus::false_, reason, message);
}

}  // namespace pintle::service
