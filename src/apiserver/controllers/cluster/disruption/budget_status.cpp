// SPDX-License-Identifier: Apache-2.0
#include "budget_status.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <map>
#include <utility>

#include <fmt/format.h>

#include <pintle/object/selector.hpp>

#include "../cluster_values.hpp"
#include "apiserver/registry/values.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;
using json::View;

constexpr std::string_view collection_of_budgets = "poddisruptionbudgets.policy";
// The time after which an evicted Pod that still exists counts as healthy again.
constexpr auto time_to_delete = std::chrono::minutes(2);

// A number, or a percentage of `whole`, rounded up.
std::int64_t portion(View given, std::int64_t whole) {
  if (const auto number = given.as_integer()) return *number;
  const std::string_view text = given.text();
  std::int64_t percent = 0;
  std::from_chars(text.data(), text.data() + text.size(), percent);
  return (whole * percent + 99) / 100;
}

bool is_percentage(View given) { return !given.text().empty(); }

void set_condition(Value& budget, const NewCondition& condition, WallTime now) {
  const Object before(budget);
  json::object made = made_condition(before, condition, now);
  made.emplace("message", "");
  made["observedGeneration"] = before.generation();
  json::array conditions;
  for (const View other : before["/status/conditions"].elements()) {
    if (other.member("type") != std::string_view(condition.type)) conditions.push_back(other.to_value());
  }
  conditions.emplace_back(std::move(made));
  object_in(budget, "status")["conditions"] = std::move(conditions);
}

}  // namespace

Instant BudgetStatus::reconcile(const Object& budget) {
  std::vector<Object> pods;
  // No selector selects no Pod, and an empty one all.
  if (const auto selector = LabelSelector::from_json(budget["/spec/selector"])) {
    for (Object& pod : objects_.list("pods", budget.namespace_())) {
      if (selector->matches(pod.labels())) pods.push_back(std::move(pod));
    }
  }
  const auto wanted = wanted_by(budget, pods);
  if (wanted) return write(budget, pods, *wanted);
  write_failure(budget, wanted.error().message);
  return Instant::max();
}

Result<BudgetStatus::Wanted> BudgetStatus::wanted_by(const Object& budget, const std::vector<Object>& pods) const {
  const View unavailable = budget["/spec/maxUnavailable"];
  const View available = budget["/spec/minAvailable"];
  if (unavailable.exists()) {
    const auto expected = pods_of_controllers(pods);
    if (!expected) return fail(Error(expected.error()));
    return Wanted{.expected = *expected,
                  .healthy = std::max<std::int64_t>(*expected - portion(unavailable, *expected), 0)};
  }
  if (is_percentage(available)) {
    const auto expected = pods_of_controllers(pods);
    if (!expected) return fail(Error(expected.error()));
    return Wanted{.expected = *expected, .healthy = portion(available, *expected)};
  }
  return Wanted{.expected = static_cast<std::int64_t>(pods.size()), .healthy = available.as_integer().value_or(0)};
}

// Pods without a controller do not count.
Result<std::int64_t> BudgetStatus::pods_of_controllers(const std::vector<Object>& pods) const {
  std::map<std::string, std::int64_t> scales;  // by the uid of the controller
  for (const Object& pod : pods) {
    if (!controller_of(pod).exists()) continue;
    std::string controller;
    const auto scale = scale_of(pod, controller);
    if (!scale) return fail(ErrorCode::invalid, fmt::format("found no controllers for pod \"{}\"", pod.name()));
    scales.emplace(controller, *scale);
  }
  std::int64_t out = 0;
  for (const auto& [controller, scale] : scales) out += scale;
  return out;
}

// Returns the replicas of the controller of a Pod, or of the Deployment of its ReplicaSet, and sets the uid of either.
// A controller that no longer exists counts as zero.
std::optional<std::int64_t> BudgetStatus::scale_of(const Object& pod, std::string& controller) const {
  const View reference = controller_of(pod);
  controller = reference.member("uid").text();
  const Object found = objects_.get_owner(reference, pod.namespace_());
  if (!found) return objects_.is_served(reference) ? std::optional<std::int64_t>(0) : std::nullopt;
  if (found.kind() == "ReplicaSet") {
    const View above = controller_of(found);
    if (above.member("kind") == "Deployment") {
      if (const Object deployment = objects_.get_owner(above, pod.namespace_())) {
        controller = deployment.uid();
        return integer_at(deployment, "/spec/replicas", 1);
      }
    }
  }
  return objects_.replicas_of(found);
}

Instant BudgetStatus::write(const Object& budget, const std::vector<Object>& pods, const Wanted& wanted) {
  const WallTime now = objects_.wall_now();
  Instant due = Instant::max();
  // An eviction may change the status at the same time, so the evicted Pods are those of the state that is replaced.
  objects_.edit(
      collection_of_budgets, budget,
      [&](Value& next) {
        const Object current(next);
        due = Instant::max();
        json::object evicted;
        std::int64_t healthy = 0;
        for (const Object& pod : pods) {
          if (pod.is_deleting()) continue;
          const View since = current["/status/disruptedPods"].member(pod.name());
          const auto time = parse_time(since.text());
          if (since.exists() && time && *time + time_to_delete > now) {
            evicted[pod.name()] = since.to_value();
            due = std::min(due, objects_.instant_of(*time + time_to_delete));
          } else if (is_ready(pod)) {
            ++healthy;
          }
        }
        const std::int64_t allowed =
            wanted.expected > 0 ? std::max<std::int64_t>(healthy - wanted.healthy, 0) : std::int64_t{0};
        json::object status{{"observedGeneration", current.generation()},
                            {"disruptionsAllowed", allowed},
                            {"currentHealthy", healthy},
                            {"desiredHealthy", wanted.healthy},
                            {"expectedPods", wanted.expected}};
        if (!evicted.empty()) status["disruptedPods"] = std::move(evicted);
        status["conditions"] = current["/status/conditions"].to_value();
        if (!status["conditions"].is_array()) status.erase("conditions");
        next.get_object()["status"] = std::move(status);
        const bool is_allowed = allowed > 0;
        set_condition(next,
                      {"DisruptionAllowed", is_allowed ? "True" : "False",
                       is_allowed ? "SufficientPods" : "InsufficientPods", ""},
                      now);
      },
      "status");
  return due;
}

void BudgetStatus::write_failure(const Object& budget, const std::string& why) {
  objects_.edit(
      collection_of_budgets, budget,
      [&](Value& next) {
        object_in(next, "status")["disruptionsAllowed"] = 0;
        set_condition(next, {"DisruptionAllowed", "False", "SyncFailed", why}, objects_.wall_now());
      },
      "status");
}

}  // namespace pintle::apiserver
