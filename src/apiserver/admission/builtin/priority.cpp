// SPDX-License-Identifier: Apache-2.0
// Priority.
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "apiserver/registry/values.hpp"
#include "plugin_parts.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;

constexpr std::string_view priority_class_collection = "priorityclasses.scheduling.k8s.io";
constexpr std::string_view usual_policy = "PreemptLowerPriority";

struct Priority {
  std::string class_name{};
  std::int64_t value = 0;
  std::string policy = std::string(usual_policy);
};

Priority priority_of(const Object& priority_class) {
  const std::string_view policy = priority_class["/preemptionPolicy"].text();
  return {.class_name = std::string(priority_class.name()),
          .value = priority_class["/value"].as_integer().value_or(0),
          .policy = std::string(policy.empty() ? usual_policy : policy)};
}

// If there are several defaults, the one with the lowest value counts.
Priority default_priority(const Storage& storage) {
  std::optional<Priority> found;
  for (const Object& one : storage.objects(priority_class_collection)) {
    if (one["/globalDefault"] != true) continue;
    Priority priority = priority_of(one);
    if (!found || priority.value < found->value) found = std::move(priority);
  }
  return found.value_or(Priority{});
}

// Every cluster has the classes of the system, even if they are not stored here.
std::optional<Priority> named_priority(const Storage& storage, std::string_view name) {
  if (const Object found = storage.get(priority_class_collection, name)) return priority_of(found);
  if (name == "system-cluster-critical") return Priority{.class_name = std::string(name), .value = 2'000'000'000};
  if (name == "system-node-critical") return Priority{.class_name = std::string(name), .value = 2'000'001'000};
  return std::nullopt;
}

// An update cannot change the priority, so it may leave it out.
void keep_priority(Value& pod, const Value& old_pod) {
  for (const char* name : {"priority", "preemptionPolicy"}) {
    const Value* was = json::find(old_pod, fmt::format("/spec/{}", name));
    if (was != nullptr) object_in(pod, "spec").emplace(name, *was);
  }
}

}  // namespace

StatusOr<void> set_priority(const Storage& storage, const Attributes& attributes, Value& pod, const Value& old_pod) {
  if (!old_pod.is_null()) return keep_priority(pod, old_pod), StatusOr<void>();
  const std::string_view name = text_at(pod, "/spec/priorityClassName");
  const auto priority = name.empty() ? default_priority(storage) : named_priority(storage, name);
  if (!priority) {
    return refuse(plugin_denial(attributes, pod, fmt::format("no PriorityClass with name {} was found", name)));
  }
  constexpr std::string_view why =
      "must not be provided in pod spec; priority admission controller computed {} from the given PriorityClass name";
  if (const Value* given = json::find(pod, "/spec/priority"); given != nullptr && *given != Value(priority->value)) {
    return refuse(plugin_denial(
        attributes, pod,
        fmt::format("the integer value of priority ({}) ", json::print(*given)) + fmt::format(why, priority->value)));
  }
  const std::string_view policy = text_at(pod, "/spec/preemptionPolicy");
  if (!policy.empty() && policy != priority->policy) {
    return refuse(plugin_denial(
        attributes, pod,
        fmt::format("the string value of PreemptionPolicy ({}) ", policy) + fmt::format(why, priority->policy)));
  }
  json::object& spec = object_in(pod, "spec");
  if (!priority->class_name.empty()) spec["priorityClassName"] = priority->class_name;
  spec["priority"] = priority->value;
  spec["preemptionPolicy"] = priority->policy;
  return {};
}

StatusOr<void> check_priority_class(const Storage& storage, const Attributes& attributes, const Value& priority_class) {
  const Value* is_default = member(priority_class, "globalDefault");
  if (is_default == nullptr || *is_default != Value(true)) return {};
  for (const Object& other : storage.objects(priority_class_collection)) {
    if (other["/globalDefault"] != true || other.name() == text_at(priority_class, "/metadata/name")) continue;
    return refuse(plugin_denial(
        attributes, priority_class,
        fmt::format("PriorityClass {} is already marked as default. Only one default can exist", other.name())));
  }
  return {};
}

}  // namespace pintle::apiserver
