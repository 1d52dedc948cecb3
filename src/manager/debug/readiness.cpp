// SPDX-License-Identifier: Apache-2.0
#include "readiness.hpp"

namespace pintle {
namespace {

json::View condition_of(const Object& object, std::string_view type) {
  for (const json::View condition : object["/status/conditions"].elements()) {
    if (condition.member("type") == type) return condition;
  }
  return {};
}

}  // namespace

std::string_view to_string(Readiness::State state) noexcept {
  switch (state) {
    case Readiness::State::ready: return "ready";
    case Readiness::State::not_ready: return "notReady";
    case Readiness::State::unknown: return "unknown";
  }
  return "";
}

Readiness readiness_of(const Object& object) {
  const auto by = [](json::View condition, bool is_ready) {
    return Readiness{.state = is_ready ? Readiness::State::ready : Readiness::State::not_ready,
                     .reason = std::string(condition.member("reason").text()),
                     .message = std::string(condition.member("message").text())};
  };
  const json::View failed = condition_of(object, "Failed");
  if (failed.member("status") == "True") return by(failed, false);
  if (object.is_deleting()) {
    return {.state = Readiness::State::not_ready, .reason = "Deleting", .message = "the object is being deleted"};
  }
  // A Pod that has run to its end, such as that of a Job, has Ready=False with the reason PodCompleted.
  if (object.kind() == "Pod" && object.api_version() == "v1" && object["/status/phase"] == "Succeeded") {
    return {.state = Readiness::State::ready, .reason = "Succeeded"};
  }
  for (const char* type : {"Ready", "Available", "Complete", "Established"}) {
    const json::View condition = condition_of(object, type);
    if (condition.exists()) return by(condition, condition.member("status") == "True");
  }
  return {};
}

}  // namespace pintle
