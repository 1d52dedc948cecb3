// SPDX-License-Identifier: Apache-2.0
#include "cluster_values.hpp"

#include <chrono>

#include <pintle/base/time.hpp>

#include "apiserver/registry/values.hpp"

namespace pintle::apiserver {

json::View controller_of(const Object& object) {
  for (const json::View reference : object.owner_references().elements()) {
    if (reference.member("controller") == true) return reference;
  }
  return {};
}

json::Value reference_to_controller(const Object& owner) {
  return json::object{{"apiVersion", owner.api_version()},
                      {"kind", owner.kind()},
                      {"name", owner.name()},
                      {"uid", owner.uid()},
                      {"controller", true},
                      {"blockOwnerDeletion", true}};
}

json::View condition_of(const Object& object, std::string_view type) {
  for (const json::View condition : object["/status/conditions"].elements()) {
    if (condition.member("type") == type) return condition;
  }
  return {};
}

json::object made_condition(const Object& object, const NewCondition& condition, WallTime now) {
  const json::View before = condition_of(object, condition.type);
  const bool is_same = before.member("status") == std::string_view(condition.status);
  json::object out{{"type", condition.type}, {"status", condition.status}};
  if (!condition.reason.empty()) out["reason"] = condition.reason;
  if (!condition.message.empty()) out["message"] = condition.message;
  out["lastTransitionTime"] = is_same ? std::string(before.member("lastTransitionTime").text()) : format_time(now);
  return out;
}

bool is_active(const Object& pod) {
  const std::string_view phase = pod["/status/phase"].text();
  return !pod.is_deleting() && phase != "Succeeded" && phase != "Failed";
}

std::optional<WallTime> available_from(const Object& pod, std::int64_t min_ready_seconds) {
  const json::View ready = condition_of(pod, "Ready");
  if (ready.member("status") != "True") return std::nullopt;
  const auto since = parse_time(ready.member("lastTransitionTime").text());
  return since.value_or(WallTime()) + std::chrono::seconds(min_ready_seconds);
}

json::Value pod_of_template(json::View pod_template, const Object& owner) {
  json::Value pod = pod_template.to_value();
  if (!pod.is_object()) pod.emplace_object();
  json::object& metadata = metadata_in(pod);
  metadata["ownerReferences"] = json::array{reference_to_controller(owner)};
  pod.get_object()["apiVersion"] = "v1";
  pod.get_object()["kind"] = "Pod";
  return pod;
}

std::string hash_name(json::View value) {
  constexpr std::string_view digits = "bcdfghjklmnpqrstvwxz2456789";  // without vowels, so that no words appear
  std::string out;
  for (std::uint64_t rest = value.hash(); out.size() < 10; rest /= digits.size()) out += digits[rest % digits.size()];
  return out;
}

}  // namespace pintle::apiserver
