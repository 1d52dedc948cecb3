#include <pintle/runtime/ready_status.hpp>

#include <pintle/base/utf8.hpp>

namespace pintle {
namespace {

constexpr const char* ready_type = "Ready";
constexpr std::size_t most_of_message = 100;

}  // namespace

void report_begun(StatusDraft& status) {
  if (find_condition(Object(json::object{{"status", status.value()}}), ready_type)) return;
  status.condition({.type = ready_type, .status = ConditionStatus::false_, .reason = "Initialize"});
}

void report_ready(StatusDraft& status) {
  status.condition({.type = ready_type, .status = ConditionStatus::true_, .reason = "Ready"});
  status.set("/isOnError", false);
  status.remove("/lastErrorMessage");
  status.set("/observedGeneration", status.generation());
}

void report_failed(StatusDraft& status, const Error& error) {
  const std::string text = error.to_string();
  status.condition({.type = ready_type,
                    .status = ConditionStatus::false_,
                    .reason = "Failed",
                    .message = std::string(cut_utf8(text, most_of_message))});
  status.set("/isOnError", true);
  status.set("/lastErrorMessage", text);
  status.set("/observedGeneration", status.generation());
}

}  // namespace pintle
