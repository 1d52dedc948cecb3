// SPDX-License-Identifier: Apache-2.0
#include "replica_sets.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "apiserver/registry/values.hpp"
#include "claims.hpp"
#include "cluster_values.hpp"
#include "events/controller_events.hpp"

namespace pintle::apiserver {
namespace {

constexpr std::size_t pods_in_a_reconcile = 500;

// The Pods that are deleted first: those on no node, those that are not ready, and the newest.
bool is_deleted_before(const Object& a, const Object& b) {
  const auto rank = [](const Object& pod) { return std::tuple(!pod["/spec/nodeName"].text().empty(), is_ready(pod)); };
  if (rank(a) != rank(b)) return rank(a) < rank(b);
  return a["/metadata/creationTimestamp"].text() > b["/metadata/creationTimestamp"].text();
}

bool has_labels_of_template(const Object& pod, const Object& replica_set) {
  for (const auto [name, value] : replica_set["/spec/template/metadata/labels"].members()) {
    if (pod.label(name) != value.text()) return false;
  }
  return true;
}

}  // namespace

Instant ReplicaSets::reconcile(const Object& replica_set) {
  std::vector<Object> pods = claimed_by(objects_, replica_set, "pods", is_active);
  std::erase_if(pods, [](const Object& pod) { return !is_active(pod); });
  const auto refusal = scale(replica_set, pods);
  return write_status(replica_set, pods, refusal);
}

std::optional<std::string> ReplicaSets::scale(const Object& replica_set, std::vector<Object> pods) {
  const auto wanted = static_cast<std::size_t>(std::max<std::int64_t>(integer_at(replica_set, "/spec/replicas", 1), 0));
  if (pods.size() > wanted) {
    std::stable_sort(pods.begin(), pods.end(), is_deleted_before);
    const std::size_t surplus = std::min(pods.size() - wanted, pods_in_a_reconcile);
    for (std::size_t i = 0; i < surplus; ++i) {
      objects_.remove("pods", pods[i]);
      write_event(objects_, replica_set, "SuccessfulDelete", fmt::format("Deleted pod: {}", pods[i].name()));
    }
    return std::nullopt;
  }
  const std::size_t missing = std::min(wanted - pods.size(), pods_in_a_reconcile);
  for (std::size_t i = 0; i < missing; ++i) {
    json::Value pod = pod_of_template(replica_set["/spec/template"], replica_set);
    metadata_in(pod)["generateName"] = fmt::format("{}-", replica_set.name());
    const auto made = objects_.create("pods", replica_set.namespace_(), std::move(pod));
    if (!made) {
      if (const auto& refusal = objects_.refusal()) {
        write_event(objects_, replica_set, "FailedCreate", fmt::format("Error creating: {}", *refusal), "Warning");
      }
      return objects_.refusal();
    }
    write_event(objects_, replica_set, "SuccessfulCreate", fmt::format("Created pod: {}", made->name()));
  }
  return std::nullopt;
}

Instant ReplicaSets::write_status(const Object& replica_set, const std::vector<Object>& pods,
                                  const std::optional<std::string>& refusal) {
  const std::int64_t min_ready_seconds = integer_at(replica_set, "/spec/minReadySeconds");
  std::int64_t labeled = 0;
  std::int64_t ready = 0;
  std::int64_t available = 0;
  Instant due = Instant::max();
  for (const Object& pod : pods) {
    if (has_labels_of_template(pod, replica_set)) ++labeled;
    const auto from = available_from(pod, min_ready_seconds);
    if (!from) continue;
    ++ready;
    if (*from <= objects_.wall_now()) {
      ++available;
    } else {
      due = std::min(due, objects_.instant_of(*from));
    }
  }
  json::object status{{"replicas", pods.size()}};
  const auto add = [&](const char* name, std::int64_t number) {
    if (number != 0) status[name] = number;
  };
  add("fullyLabeledReplicas", labeled);
  add("readyReplicas", ready);
  add("availableReplicas", available);
  status["observedGeneration"] = replica_set.generation();
  if (refusal) {
    // The message contains the generated name of a Pod. It stays as it is, because each change is a reason to try
    // again.
    const json::View before = condition_of(replica_set, "ReplicaFailure");
    const NewCondition condition{"ReplicaFailure", "True", "FailedCreate", *refusal};
    json::Value failure = before.to_value();
    if (!before.exists()) failure = made_condition(replica_set, condition, objects_.wall_now());
    status["conditions"] = json::array{std::move(failure)};
  }
  objects_.set_status(collection_, replica_set, status);
  return due;
}

}  // namespace pintle::apiserver
