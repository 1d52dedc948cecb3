// SPDX-License-Identifier: Apache-2.0
#include <string>

#include <pintle/controller/controller.hpp>
#include <pintle/controller/ready_status.hpp>
#include <pintle/controller/status_writer.hpp>

namespace pintle::internal {
namespace {

// Returns whether earlier reconciles stored the members of ReadyStatus. None of them runs while the object cannot be
// decoded, so its condition Ready would stay as it is, for example True.
bool has_ready_status(const Object& object) { return object["/status/isOnError"].exists(); }

}  // namespace

void report_decoding(Context& context, const Object& object, const Error* error, bool has_conditions) {
  if (error != nullptr) {
    context.event(EventType::warning, invalid_object, error->to_string());
    if (!has_conditions) return;
    context.status().set_condition({.type = std::string(invalid_object),
                                    .status = ConditionStatus::true_,
                                    .reason = "DecodingFailed",
                                    .message = error->to_string()});
    if (has_ready_status(object)) report_failed(context.status(), *error);
  } else if (has_conditions) {
    bool was_invalid = false;
    for (const json::View condition : object["/status/conditions"].elements()) {
      was_invalid = was_invalid || condition.member("type") == invalid_object;
    }
    if (was_invalid) context.status().remove_condition(invalid_object);
  }
}

}  // namespace pintle::internal
