// SPDX-License-Identifier: Apache-2.0
#include "deployments.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "apiserver/registry/values.hpp"
#include "claims.hpp"
#include "cluster_values.hpp"
#include "deployment_status.hpp"
#include "events/controller_events.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;
using json::View;

constexpr std::string_view collection_of_deployments = "deployments.apps";
constexpr std::string_view replica_sets = "replicasets.apps";
constexpr std::string_view hash_label = "pod-template-hash";
constexpr std::string_view revision_annotation = "deployment.kubernetes.io/revision";

// Returns the template of a ReplicaSet as its Deployment contains it.
Value template_without_hash(View pod_template) {
  Value out = pod_template.to_value();
  if (json::object* const labels = object_at(out, "/metadata/labels")) labels->erase(hash_label);
  return out;
}

std::int64_t revision_of(const Object& object) {
  const std::string_view text = object.annotation(revision_annotation);
  std::int64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

void set_revision_in(Value& object, std::int64_t revision) {
  metadata_in(object);
  object_in(object.get_object()["metadata"], "annotations")[revision_annotation] = std::to_string(revision);
}

// A number, or a percentage of `whole`.
std::int64_t resolved(View given, std::int64_t whole, bool rounds_up) {
  if (const auto number = given.as_integer()) return *number;
  const std::string_view text = given.text();
  std::int64_t percent = 0;
  std::from_chars(text.data(), text.data() + text.size(), percent);
  return (whole * percent + (rounds_up ? 99 : 0)) / 100;
}

void report_scaling(ClusterObjects& objects, const Object& deployment, std::string_view replica_set,
                    std::int64_t before, std::int64_t after) {
  write_event(objects, deployment, "ScalingReplicaSet",
              fmt::format("Scaled {} replica set {} from {} to {}", after > before ? "up" : "down", replica_set, before,
                          after));
}

}  // namespace

Instant Deployments::reconcile(const Object& deployment) {
  Instant due = Instant::max();
  std::vector<Part> parts = parts_of(deployment, due);
  const Limits limits = limits_of(deployment);
  const auto current = std::find_if(parts.begin(), parts.end(), [](const Part& part) { return part.is_current; });
  if (deployment["/spec/paused"] == true) {
    scale_paused(deployment, parts, limits);
  } else {
    if (current != parts.end()) set_revision(deployment, parts);
    if (deployment["/spec/strategy/type"] == "Recreate") {
      recreate(deployment, parts, limits);
    } else {
      roll(deployment, parts, limits);
    }
    remove_history(deployment, parts);
  }
  return std::min(due, write_status(deployment, parts, limits));
}

std::vector<Deployments::Part> Deployments::parts_of(const Object& deployment, Instant& due) {
  std::vector<Part> out;
  const Value wanted = template_without_hash(deployment["/spec/template"]);
  const std::int64_t min_ready_seconds = integer_at(deployment, "/spec/minReadySeconds");
  bool has_current = false;
  for (const Object& replica_set : claimed_by(objects_, deployment, replica_sets)) {
    if (replica_set.is_deleting()) continue;
    Part part{.object = replica_set, .wanted = integer_at(replica_set, "/spec/replicas", 1)};
    part.is_current = !has_current && json::equal(template_without_hash(replica_set["/spec/template"]), wanted);
    has_current = has_current || part.is_current;
    for (const Object& pod : objects_.owned_by(replica_set, "pods")) {
      part.has_pods = true;
      if (!is_active(pod)) continue;
      ++part.pods;
      const auto from = available_from(pod, min_ready_seconds);
      if (!from) continue;
      ++part.ready;
      if (*from <= objects_.wall_now()) {
        ++part.available;
      } else {
        due = std::min(due, objects_.instant_of(*from));
      }
    }
    out.push_back(std::move(part));
  }
  std::sort(out.begin(), out.end(),
            [](const Part& a, const Part& b) { return revision_of(a.object) < revision_of(b.object); });
  return out;
}

Deployments::Limits Deployments::limits_of(const Object& deployment) {
  Limits out{.wanted = integer_at(deployment, "/spec/replicas", 1)};
  const View rolling = deployment["/spec/strategy/rollingUpdate"];
  out.surge = resolved(rolling.member("maxSurge"), out.wanted, true);
  out.unavailable = std::min(resolved(rolling.member("maxUnavailable"), out.wanted, false), out.wanted);
  if (deployment["/spec/strategy/type"] == "Recreate") out.unavailable = 0;
  const bool cannot_move = out.surge == 0 && out.unavailable == 0;
  if (cannot_move && deployment["/spec/strategy/type"] != "Recreate") out.unavailable = 1;
  return out;
}

// Creates the ReplicaSet of the current template.
void Deployments::create_current(const Object& deployment, const std::vector<Part>& parts, std::int64_t replicas) {
  std::int64_t revision = 0;
  for (const Part& part : parts) revision = std::max(revision, revision_of(part.object));
  const std::string hash = hash_name(deployment["/spec/template"]);
  Value pod_template = deployment["/spec/template"].to_value();
  metadata_in(pod_template);
  json::object& labels = object_in(pod_template.get_object()["metadata"], "labels");
  labels[hash_label] = hash;
  Value selector = deployment["/spec/selector"].to_value();
  object_in(selector, "matchLabels")[hash_label] = hash;
  Value replica_set =
      json::object{{"apiVersion", "apps/v1"},
                   {"kind", "ReplicaSet"},
                   {"metadata", json::object{{"name", fmt::format("{}-{}", deployment.name(), hash)},
                                             {"labels", labels},
                                             {"ownerReferences", json::array{reference_to_controller(deployment)}}}},
                   {"spec", json::object{{"replicas", replicas}, {"selector", selector}, {"template", pod_template}}}};
  if (const View seconds = deployment["/spec/minReadySeconds"]; seconds.exists()) {
    object_in(replica_set, "spec")["minReadySeconds"] = seconds.to_value();
  }
  set_revision_in(replica_set, revision + 1);
  const auto made = objects_.create(replica_sets, deployment.namespace_(), std::move(replica_set));
  if (!made) return;
  if (replicas > 0) report_scaling(objects_, deployment, made->name(), 0, replicas);
  objects_.edit(collection_of_deployments, deployment, [&](Value& next) { set_revision_in(next, revision + 1); });
}

// Makes the revision of the current template the newest, also after a rollback to an earlier template.
void Deployments::set_revision(const Object& deployment, std::vector<Part>& parts) {
  std::int64_t others = 0;
  Part* current = nullptr;
  for (Part& part : parts) {
    if (part.is_current) {
      current = &part;
    } else {
      others = std::max(others, revision_of(part.object));
    }
  }
  const std::int64_t own = revision_of(current->object);
  const std::int64_t revision = own > others ? own : others + 1;
  const auto annotate = [&](Value& next) { set_revision_in(next, revision); };
  if (own != revision) {
    if (auto edited = objects_.edit(replica_sets, current->object, annotate)) current->object = std::move(*edited);
  }
  if (revision_of(deployment) != revision) objects_.edit(collection_of_deployments, deployment, annotate);
}

void Deployments::scale(const Object& deployment, Part& part, std::int64_t replicas) {
  const std::int64_t before = part.wanted;
  if (before == replicas) return;
  part.wanted = replicas;
  objects_.edit(replica_sets, part.object, [&](Value& next) { object_in(next, "spec")["replicas"] = replicas; });
  report_scaling(objects_, deployment, part.object.name(), before, replicas);
}

// Without a rollout, the only active ReplicaSet follows spec.replicas, also if it has an earlier template.
void Deployments::scale_paused(const Object& deployment, std::vector<Part>& parts, const Limits& limits) {
  if (parts.empty()) return;
  std::vector<Part*> active;
  Part* latest = &parts.back();
  for (Part& part : parts) {
    if (part.wanted > 0) active.push_back(&part);
    if (part.is_current) latest = &part;
  }
  if (active.size() <= 1) {
    scale(deployment, active.empty() ? *latest : *active.front(), limits.wanted);
  } else if (latest->is_current && latest->wanted == limits.wanted && latest->available == limits.wanted) {
    for (Part* part : active) {
      if (part != latest) scale(deployment, *part, 0);
    }
  } else if (deployment["/spec/strategy/type"] != "Recreate") {
    scale_in_proportion(deployment, std::move(active), limits);
  }
}

// Makes the sum of the sizes `wanted` + `surge`. The largest ReplicaSet takes what rounding leaves over.
void Deployments::scale_in_proportion(const Object& deployment, std::vector<Part*> active, const Limits& limits) {
  std::int64_t total = 0;
  for (const Part* part : active) total += part->wanted;
  const std::int64_t allowed = limits.wanted == 0 ? 0 : limits.wanted + limits.surge;
  std::int64_t rest = allowed - total;
  if (rest == 0) return;
  // If two sizes are equal, the newer one grows first, and the older one shrinks first.
  const bool grows = rest > 0;
  if (grows) std::reverse(active.begin(), active.end());
  std::stable_sort(active.begin(), active.end(), [](const Part* a, const Part* b) { return a->wanted > b->wanted; });
  std::vector<std::int64_t> sizes;
  for (const Part* part : active) {
    const std::int64_t share = (2 * part->wanted * allowed + total) / (2 * total) - part->wanted;  // rounded
    const std::int64_t change = grows ? std::min(share, rest) : std::max(share, rest);
    sizes.push_back(part->wanted + change);
    rest -= change;
  }
  sizes.front() = std::max<std::int64_t>(sizes.front() + rest, 0);
  for (std::size_t i = 0; i < active.size(); ++i) scale(deployment, *active[i], sizes[i]);
}

// One step of a rolling update: at most `wanted` + `surge` Pods, at least `wanted` - `unavailable` available ones.
void Deployments::roll(const Object& deployment, std::vector<Part>& parts, const Limits& limits) {
  std::int64_t total = 0;
  Part* current = nullptr;
  for (Part& part : parts) {
    total += part.wanted;
    if (part.is_current) current = &part;
  }
  const std::int64_t room = std::max<std::int64_t>(limits.wanted + limits.surge - total, 0);
  if (current == nullptr) {
    // Its first Pods are created at once; old ones are removed when the new ReplicaSet exists.
    create_current(deployment, parts, std::min(limits.wanted, room));
    return;
  }
  if (current->wanted > limits.wanted) {
    scale(deployment, *current, limits.wanted);
  } else if (current->wanted < limits.wanted) {
    scale(deployment, *current, std::min(limits.wanted, current->wanted + room));
  }
  scale_down_old(deployment, parts, *current, limits);
}

void Deployments::scale_down_old(const Object& deployment, std::vector<Part>& parts, const Part& current,
                                 const Limits& limits) {
  std::int64_t available = 0;
  for (const Part& part : parts) available += std::min(part.available, part.wanted);
  std::int64_t surplus = available - (limits.wanted - limits.unavailable);
  for (Part& part : parts) {
    if (&part == &current) continue;
    // Pods that are not available do not count, so they can always go.
    const std::int64_t useful = std::min(part.available, part.wanted);
    const std::int64_t kept = useful - std::clamp<std::int64_t>(surplus, 0, useful);
    surplus -= useful - kept;
    scale(deployment, part, kept);
  }
}

// Starts the new Pods when all old ones are gone.
void Deployments::recreate(const Object& deployment, std::vector<Part>& parts, const Limits& limits) {
  bool has_old_pods = false;
  Part* current = nullptr;
  for (Part& part : parts) {
    if (part.is_current) {
      current = &part;
      continue;
    }
    scale(deployment, part, 0);
    has_old_pods = has_old_pods || part.has_pods;
  }
  if (has_old_pods) return;
  if (current == nullptr) {
    create_current(deployment, parts, limits.wanted);
  } else {
    scale(deployment, *current, limits.wanted);
  }
}

void Deployments::remove_history(const Object& deployment, const std::vector<Part>& parts) {
  std::vector<const Part*> old;
  for (const Part& part : parts) {
    if (!part.is_current && part.wanted == 0 && !part.has_pods) old.push_back(&part);
  }
  const auto limit =
      static_cast<std::size_t>(std::max<std::int64_t>(integer_at(deployment, "/spec/revisionHistoryLimit", 10), 0));
  if (old.size() <= limit) return;
  old.resize(old.size() - limit);
  for (const Part* part : old) objects_.remove(replica_sets, part->object);
}

Instant Deployments::write_status(const Object& deployment, const std::vector<Part>& parts, const Limits& limits) {
  DeploymentCounts counts{.wanted = limits.wanted, .max_unavailable = limits.unavailable};
  for (const Part& part : parts) {
    counts.replicas += part.pods;
    counts.ready += part.ready;
    counts.available += part.available;
    if (!part.is_current) continue;
    counts.updated = part.pods;
    counts.current = part.object.name();
    counts.failure = condition_of(part.object, "ReplicaFailure");
  }
  const DeploymentStatus made = deployment_status(deployment, counts, objects_.wall_now());
  objects_.set_status(collection_of_deployments, deployment, made.status);
  return made.deadline ? objects_.instant_of(*made.deadline) : Instant::max();
}

}  // namespace pintle::apiserver
