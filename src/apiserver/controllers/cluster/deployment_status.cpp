// SPDX-License-Identifier: Apache-2.0
#include "deployment_status.hpp"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include <pintle/base/time.hpp>

#include "cluster_values.hpp"

namespace pintle::apiserver {
namespace {

constexpr std::int64_t no_deadline = 2'147'483'647;

// Returns a condition with the time of its last update, which is kept unless `is_updated`.
json::object timed(const Object& deployment, const NewCondition& condition, bool is_updated, WallTime now) {
  json::object out = made_condition(deployment, condition, now);
  const json::View before = condition_of(deployment, condition.type);
  const bool is_same = before.member("status") == std::string_view(condition.status) &&
                       before.member("reason") == std::string_view(condition.reason);
  const bool keeps_time = is_same && !is_updated;
  out["lastUpdateTime"] = keeps_time ? std::string(before.member("lastUpdateTime").text()) : format_time(now);
  return out;
}

// True if the counts show progress since the last status.
bool has_progressed(const Object& deployment, const DeploymentCounts& counts) {
  const auto old_replicas = [](std::int64_t all, std::int64_t updated) { return all - updated; };
  const std::int64_t before_updated = integer_at(deployment, "/status/updatedReplicas");
  return counts.updated > before_updated ||
         old_replicas(counts.replicas, counts.updated) <
             old_replicas(integer_at(deployment, "/status/replicas"), before_updated) ||
         counts.ready > integer_at(deployment, "/status/readyReplicas") ||
         counts.available > integer_at(deployment, "/status/availableReplicas");
}

json::object availability(const Object& deployment, const DeploymentCounts& counts, WallTime now) {
  const bool is_available = counts.available >= counts.wanted - counts.max_unavailable;
  const NewCondition condition{
      "Available", is_available ? "True" : "False",
      is_available ? "MinimumReplicasAvailable" : "MinimumReplicasUnavailable",
      is_available ? "Deployment has minimum availability." : "Deployment does not have minimum availability."};
  return timed(deployment, condition, false, now);
}

// The condition Progressing. Sets the deadline if the rollout is not complete.
json::object progress(const Object& deployment, const DeploymentCounts& counts, WallTime now,
                      std::optional<WallTime>& deadline) {
  const bool is_complete = !counts.current.empty() && counts.updated == counts.wanted &&
                           counts.replicas == counts.wanted && counts.available == counts.wanted;
  const std::string subject = fmt::format("ReplicaSet \"{}\"", counts.current);
  if (is_complete) {
    return timed(deployment,
                 {"Progressing", "True", "NewReplicaSetAvailable", subject + " has successfully progressed."}, false,
                 now);
  }
  const json::View before = condition_of(deployment, "Progressing");
  const bool is_new = deployment["/status/observedGeneration"] != deployment.generation();
  const bool progressed = is_new || !before.exists() || has_progressed(deployment, counts);
  const bool timed_out = before.member("reason") == "ProgressDeadlineExceeded" && !progressed;
  const std::int64_t seconds = integer_at(deployment, "/spec/progressDeadlineSeconds", no_deadline);
  const auto updated = parse_time(before.member("lastUpdateTime").text());
  const WallTime end = (progressed || !updated ? now : *updated) + std::chrono::seconds(seconds);
  const bool is_paused = deployment["/spec/paused"] == true;
  if (timed_out || (seconds != no_deadline && !is_paused && now >= end)) {
    return timed(deployment,
                 {"Progressing", "False", "ProgressDeadlineExceeded", subject + " has timed out progressing."}, false,
                 now);
  }
  if (seconds != no_deadline && !is_paused) deadline = end;
  return timed(deployment, {"Progressing", "True", "ReplicaSetUpdated", subject + " is progressing."}, progressed, now);
}

}  // namespace

DeploymentStatus deployment_status(const Object& deployment, const DeploymentCounts& counts, WallTime now) {
  DeploymentStatus out;
  out.status["observedGeneration"] = deployment.generation();
  const auto add = [&](const char* name, std::int64_t number) {
    if (number != 0) out.status[name] = number;
  };
  add("replicas", counts.replicas);
  add("updatedReplicas", counts.updated);
  add("readyReplicas", counts.ready);
  add("availableReplicas", counts.available);
  add("unavailableReplicas", std::max<std::int64_t>(std::max(counts.replicas, counts.wanted) - counts.available, 0));
  json::array conditions{availability(deployment, counts, now), progress(deployment, counts, now, out.deadline)};
  if (counts.failure.exists()) {
    const NewCondition condition{"ReplicaFailure", "True", std::string(counts.failure.member("reason").text()),
                                 std::string(counts.failure.member("message").text())};
    conditions.emplace_back(timed(deployment, condition, false, now));
  }
  out.status["conditions"] = std::move(conditions);
  return out;
}

}  // namespace pintle::apiserver
