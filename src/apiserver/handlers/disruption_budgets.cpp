// SPDX-License-Identifier: Apache-2.0
#include "disruption_budgets.hpp"

#include <utility>

#include <fmt/format.h>

#include <pintle/object/selector.hpp>

#include "../registry/cells.hpp"
#include "apiserver/registry/values.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;

constexpr std::string_view budgets = "poddisruptionbudgets.policy";
constexpr int still_processing_seconds = 10;
constexpr std::size_t max_disrupted_pods = 2000;

Refusal too_many(std::string why, int retry_after_seconds) {
  Refusal refusal{.code = 429,
                  .reason = "TooManyRequests",
                  .message = "Cannot evict pod as it would violate the pod's disruption budget.",
                  .details = Details{.retry_after_seconds = retry_after_seconds}};
  refusal.details->causes.push_back({.reason = "DisruptionBudget", .message = std::move(why)});
  return refusal;
}

StatusOr<Object> budget_of(const Service& service, const Object& pod) {
  Object found;
  if (pod.labels().empty()) return found;
  for (const Object& budget : service.storage.objects(budgets, pod.namespace_())) {
    const auto selector = LabelSelector::from_json(budget["/spec/selector"]);
    if (!selector || !selector->matches(pod.labels())) continue;
    if (found) {
      return refuse(internal_error(
          "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support."));
    }
    found = budget;
  }
  return found;
}

bool is_ready(const Object& pod) {
  for (const json::View condition : pod["/status/conditions"].elements()) {
    if (condition.member("type") == "Ready") return condition.member("status") == "True";
  }
  return false;
}

// True if a Pod that is not ready may be evicted whatever its budget allows.
bool ignores_unhealthy(const Object& budget) {
  if (budget["/spec/unhealthyPodEvictionPolicy"] == "AlwaysAllow") return true;
  const std::int64_t desired = integer_cell(budget["/status/desiredHealthy"]);
  return desired > 0 && integer_cell(budget["/status/currentHealthy"]) >= desired;
}

StatusOr<void> check_allowed(const Object& budget) {
  const auto refuse_budget = [&](std::string_view why) {
    return refuse(forbidden({.group = "policy", .kind = "poddisruptionbudget", .name = budget.name()}, why));
  };
  if (integer_cell(budget["/status/observedGeneration"]) < budget.generation()) {
    return refuse(
        too_many(fmt::format("The disruption budget {} is still being processed by the server.", budget.name()),
                 still_processing_seconds));
  }
  const std::int64_t allowed = integer_cell(budget["/status/disruptionsAllowed"]);
  if (allowed < 0) return refuse_budget("pdb disruptions allowed is negative");
  if (budget["/status/disruptedPods"].size() > max_disrupted_pods) {
    return refuse_budget("DisruptedPods map too big - too many evictions not confirmed by PDB controller");
  }
  if (allowed > 0) return {};
  return refuse(too_many(
      fmt::format("The disruption budget {} needs {} healthy pods and has {} currently", budget.name(),
                  integer_cell(budget["/status/desiredHealthy"]), integer_cell(budget["/status/currentHealthy"])),
      0));
}

Value with_disruption(const Object& budget, const Object& pod, WallTime now) {
  Value next = budget.to_value();
  const std::int64_t left = integer_cell(budget["/status/disruptionsAllowed"]) - 1;
  object_in(next, "status")["disruptionsAllowed"] = left;
  object_in(next.at("status"), "disruptedPods")[pod.name()] = format_time(now);
  if (left > 0) return next;
  each_object(next, "/status/conditions", [&](Value& condition) {
    if (text_at(condition, "/type") != "DisruptionAllowed" || text_at(condition, "/status") == "False") return;
    json::object& members = condition.get_object();
    members["status"] = "False";
    members["reason"] = "InsufficientPods";
    members["lastTransitionTime"] = format_time(now);
  });
  return next;
}

}  // namespace

StatusOr<void> count_disruption(Service& service, const Object& pod, bool dry_run) {
  while (true) {
    auto budget = budget_of(service, pod);
    if (!budget) return refuse(std::move(budget.error()));
    if (!*budget || (!is_ready(pod) && ignores_unhealthy(*budget))) return {};
    if (auto allowed = check_allowed(*budget); !allowed) return allowed;
    if (dry_run) return {};
    const std::string key = storage_key(budget->namespace_(), budget->name());
    // If another write came first, the new state decides.
    if (service.storage.put(budgets, key, *budget, with_disruption(*budget, pod, service.executor.wall_now())))
      return {};
  }
}

}  // namespace pintle::apiserver
