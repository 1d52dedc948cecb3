// SPDX-License-Identifier: Apache-2.0
#include "daemon_sets.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "apiserver/registry/values.hpp"
#include "claims.hpp"
#include "cluster_values.hpp"
#include "events/controller_events.hpp"
#include "nodes/taints.hpp"
#include "revisions.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;
using json::View;

constexpr std::string_view collection_of_daemon_sets = "daemonsets.apps";

bool fits(const Object& node, const Object& daemon_set) {
  for (const auto [name, value] : daemon_set["/spec/template/spec/nodeSelector"].members()) {
    if (node.label(name) != value.text()) return false;
  }
  return !node.is_deleting();
}

// The tolerations of the Pods: those of the template, and some that each DaemonSet has.
json::array tolerations_of(const Object& daemon_set) {
  json::array out;
  for (const View given : daemon_set["/spec/template/spec/tolerations"].elements()) out.push_back(given.to_value());
  const auto add = [&](std::string_view condition, const char* effect) {
    out.emplace_back(json::object{
        {"key", fmt::format("node.kubernetes.io/{}", condition)}, {"operator", "Exists"}, {"effect", effect}});
  };
  for (const char* condition : {"not-ready", "unreachable"}) add(condition, "NoExecute");
  for (const char* condition : {"disk-pressure", "memory-pressure", "pid-pressure", "unschedulable"}) {
    add(condition, "NoSchedule");
  }
  if (daemon_set["/spec/template/spec/hostNetwork"] == true) add("network-unavailable", "NoSchedule");
  return out;
}

// The number of Pods that an update may make unavailable.
std::int64_t max_unavailable_of(const Object& daemon_set, std::size_t nodes) {
  const View given = daemon_set["/spec/updateStrategy/rollingUpdate/maxUnavailable"];
  if (const auto number = given.as_integer()) return std::max<std::int64_t>(*number, 1);
  const std::string_view text = given.text();
  std::int64_t percent = 0;
  std::from_chars(text.data(), text.data() + text.size(), percent);
  return std::max<std::int64_t>((static_cast<std::int64_t>(nodes) * percent + 99) / 100, 1);
}

}  // namespace

Instant DaemonSets::reconcile(const Object& daemon_set) {
  const State state = state_of(daemon_set);
  place(daemon_set, state);
  update(daemon_set, state);
  write_status(daemon_set, state);
  remove_revisions(objects_, daemon_set, {state.revision});
  Instant due = Instant::max();
  for (const auto& [node, pods] : state.pods) {
    for (const Object& pod : pods) {
      const auto from = available_from(pod, integer_at(daemon_set, "/spec/minReadySeconds"));
      if (from && *from > objects_.wall_now()) due = std::min(due, objects_.instant_of(*from));
    }
  }
  return due;
}

DaemonSets::State DaemonSets::state_of(const Object& daemon_set) {
  State out{.revision = current_revision(objects_, daemon_set)};
  const Object tolerations(Value(json::object{{"list", tolerations_of(daemon_set)}}));
  for (const Object& node : objects_.list("nodes")) {
    if (!fits(node, daemon_set)) continue;
    if (may_start(tolerations["/list"], node)) out.wanted.emplace_back(node.name());
    if (tolerates(tolerations["/list"], node, "NoExecute")) out.kept.emplace_back(node.name());
  }
  for (Object& pod : claimed_by(objects_, daemon_set, "pods")) {
    out.pods[std::string(pod["/spec/nodeName"].text())].push_back(std::move(pod));
  }
  return out;
}

bool DaemonSets::is_available(const Object& daemon_set, const Object& pod) const {
  const auto from = available_from(pod, integer_at(daemon_set, "/spec/minReadySeconds"));
  return is_active(pod) && from && *from <= objects_.wall_now();
}

// Creates missing Pods, and deletes those that have ended or are on a Node that does not fit.
void DaemonSets::place(const Object& daemon_set, const State& state) {
  for (const auto& [node, pods] : state.pods) {
    const bool may_stay = std::find(state.kept.begin(), state.kept.end(), node) != state.kept.end();
    bool has_one = false;
    for (const Object& pod : pods) {
      const bool is_kept = may_stay && is_active(pod) && !has_one;
      has_one = has_one || is_kept;
      if (!is_kept && !pod.is_deleting()) remove_pod(daemon_set, pod);
    }
  }
  for (const std::string& node : state.wanted) {
    if (!state.pods.contains(node)) create_pod(daemon_set, node, state.revision);
  }
}

void DaemonSets::create_pod(const Object& daemon_set, const std::string& node, const std::string& revision) {
  Value pod = pod_of_template(daemon_set["/spec/template"], daemon_set);
  metadata_in(pod)["generateName"] = fmt::format("{}-", daemon_set.name());
  json::object& labels = object_in(pod.get_object()["metadata"], "labels");
  labels[revision_label] = revision;
  labels["pod-template-generation"] = std::to_string(daemon_set.generation());
  object_in(pod, "spec")["nodeName"] = node;
  object_in(pod, "spec")["tolerations"] = tolerations_of(daemon_set);
  const auto made = objects_.create("pods", daemon_set.namespace_(), std::move(pod));
  if (made) write_event(objects_, daemon_set, "SuccessfulCreate", fmt::format("Created pod: {}", made->name()));
}

void DaemonSets::remove_pod(const Object& daemon_set, const Object& pod) {
  objects_.remove("pods", pod);
  write_event(objects_, daemon_set, "SuccessfulDelete", fmt::format("Deleted pod: {}", pod.name()));
}

// Deletes Pods of an old template, as many as may be unavailable. Those that are unavailable already go first.
void DaemonSets::update(const Object& daemon_set, const State& state) {
  if (daemon_set["/spec/updateStrategy/type"] == "OnDelete") return;
  std::int64_t unavailable = 0;
  std::vector<Object> old;
  for (const std::string& node : state.wanted) {
    const auto pods = state.pods.find(node);
    const Object* const pod = pods == state.pods.end() ? nullptr : &pods->second.front();
    const bool is_up = pod != nullptr && is_available(daemon_set, *pod);
    if (!is_up) ++unavailable;
    if (pod == nullptr || !is_active(*pod) || pod->label(revision_label) == state.revision) continue;
    if (is_up) {
      old.push_back(*pod);
    } else {
      remove_pod(daemon_set, *pod);
    }
  }
  const std::int64_t allowed = max_unavailable_of(daemon_set, state.wanted.size()) - unavailable;
  for (std::int64_t i = 0; i < std::min<std::int64_t>(allowed, static_cast<std::int64_t>(old.size())); ++i) {
    remove_pod(daemon_set, old[static_cast<std::size_t>(i)]);
  }
}

void DaemonSets::write_status(const Object& daemon_set, const State& state) {
  std::int64_t scheduled = 0;
  std::int64_t ready = 0;
  std::int64_t available = 0;
  std::int64_t updated = 0;
  std::int64_t misscheduled = 0;
  for (const auto& [node, pods] : state.pods) {
    const bool is_wanted = std::find(state.wanted.begin(), state.wanted.end(), node) != state.wanted.end();
    const auto found = std::find_if(pods.begin(), pods.end(), is_active);
    if (found == pods.end()) continue;
    if (!is_wanted) {
      ++misscheduled;
      continue;
    }
    ++scheduled;
    if (is_ready(*found)) ++ready;
    if (is_available(daemon_set, *found)) ++available;
    if (found->label(revision_label) == state.revision) ++updated;
  }
  const auto wanted = static_cast<std::int64_t>(state.wanted.size());
  json::object status{{"currentNumberScheduled", scheduled},
                      {"numberMisscheduled", misscheduled},
                      {"desiredNumberScheduled", wanted},
                      {"numberReady", ready},
                      {"observedGeneration", daemon_set.generation()}};
  const auto add = [&](const char* name, std::int64_t number) {
    if (number != 0) status[name] = number;
  };
  add("updatedNumberScheduled", updated);
  add("numberAvailable", available);
  add("numberUnavailable", wanted - available);
  objects_.set_status(collection_of_daemon_sets, daemon_set, status);
}

}  // namespace pintle::apiserver
