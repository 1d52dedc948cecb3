// SPDX-License-Identifier: Apache-2.0
#include "stateful_sets.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

#include <fmt/format.h>

#include "apiserver/registry/values.hpp"
#include "claims.hpp"
#include "cluster_values.hpp"
#include "events/controller_events.hpp"
#include "revisions.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;
using json::View;

constexpr std::string_view collection_of_stateful_sets = "statefulsets.apps";
constexpr std::string_view claims = "persistentvolumeclaims";
constexpr std::size_t parallel_pods = 500;  // created in one reconcile

std::int64_t first_ordinal(const Object& stateful_set) { return integer_at(stateful_set, "/spec/ordinals/start"); }
std::int64_t end_ordinal(const Object& stateful_set) {
  return first_ordinal(stateful_set) + std::max<std::int64_t>(integer_at(stateful_set, "/spec/replicas", 1), 0);
}

bool is_parallel(const Object& stateful_set) { return stateful_set["/spec/podManagementPolicy"] == "Parallel"; }

// The number in the name of a Pod; nothing if it has none, or another name.
std::optional<std::int64_t> ordinal_of(const Object& stateful_set, const Object& pod) {
  std::string_view text = pod.name();
  if (!text.starts_with(stateful_set.name())) return std::nullopt;
  text.remove_prefix(stateful_set.name().size());
  if (text.size() < 2 || text.front() != '-') return std::nullopt;
  text.remove_prefix(1);
  std::int64_t ordinal = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), ordinal);
  if (error != std::errc{} || end != text.data() + text.size() || ordinal < 0) return std::nullopt;
  return ordinal;
}

std::string full_name(const Object& stateful_set, const std::string& revision) {
  return fmt::format("{}-{}", stateful_set.name(), revision);
}

// The revision in the status, without the name of the set.
std::string revision_in_status(const Object& stateful_set, std::string_view pointer) {
  const std::string_view text = stateful_set[pointer].text();
  const std::size_t prefix = stateful_set.name().size() + 1;
  return std::string(text.size() > prefix ? text.substr(prefix) : std::string_view{});
}

bool has_revision(const Object& stateful_set, const Object& pod, const std::string& revision) {
  return pod.label(revision_label) == full_name(stateful_set, revision);
}

std::int64_t partition_of(const Object& stateful_set) {
  return integer_at(stateful_set, "/spec/updateStrategy/rollingUpdate/partition");
}

}  // namespace

Instant StatefulSets::reconcile(const Object& stateful_set) {
  Revisions revisions{.update = current_revision(objects_, stateful_set)};
  revisions.current = revision_in_status(stateful_set, "/status/currentRevision");
  if (revisions.current.empty()) revisions.current = revisions.update;
  const Pods pods = pods_of(stateful_set);
  if (scale(stateful_set, pods, revisions)) update(stateful_set, pods, revisions);
  write_status(stateful_set, pods, revisions);
  remove_revisions(objects_, stateful_set, {revisions.current, revisions.update});
  return next_available(stateful_set, pods);
}

// Also Pods that have ended or are being deleted, because their names are in use.
StatefulSets::Pods StatefulSets::pods_of(const Object& stateful_set) {
  Pods out;
  const auto has_ordinal = [&](const Object& pod) { return ordinal_of(stateful_set, pod).has_value(); };
  for (Object& pod : claimed_by(objects_, stateful_set, "pods", has_ordinal)) {
    if (const auto ordinal = ordinal_of(stateful_set, pod)) out.emplace(*ordinal, std::move(pod));
  }
  return out;
}

bool StatefulSets::is_available(const Object& stateful_set, const Object& pod) const {
  const auto from = available_from(pod, integer_at(stateful_set, "/spec/minReadySeconds"));
  return is_active(pod) && from && *from <= objects_.wall_now();
}

bool StatefulSets::scale(const Object& stateful_set, const Pods& pods, const Revisions& revisions) {
  const bool parallel = is_parallel(stateful_set);
  const std::int64_t first = first_ordinal(stateful_set);
  const std::int64_t end = end_ordinal(stateful_set);
  std::size_t steps = 0;
  bool is_complete = true;
  for (std::int64_t ordinal = first; ordinal < end; ++ordinal) {
    const auto found = pods.find(ordinal);
    const bool exists = found != pods.end();
    if (exists && is_available(stateful_set, found->second)) continue;
    is_complete = false;
    if (!exists) {
      const bool is_old = ordinal < first + partition_of(stateful_set);
      create_pod(stateful_set, ordinal, is_old ? revisions.current : revisions.update);
      ++steps;
    } else if (!is_active(found->second) && !found->second.is_deleting()) {
      remove_pod(stateful_set, found->second);  // it has ended, and is created again
      ++steps;
    }
    if (!parallel || steps == parallel_pods) break;
  }
  if (!is_complete && !parallel) {
    // A broken Pod of an old revision must not block the update that repairs it.
    for (const auto& [ordinal, pod] : pods) {
      const bool is_behind = ordinal >= first + partition_of(stateful_set) && ordinal < end && is_active(pod) &&
                             !is_ready(pod) && !has_revision(stateful_set, pod, revisions.update);
      if (is_behind && stateful_set["/spec/updateStrategy/type"] != "OnDelete") remove_pod(stateful_set, pod);
    }
    return false;
  }
  for (auto pod = pods.rbegin(); pod != pods.rend(); ++pod) {
    if (pod->first >= first && pod->first < end) continue;
    is_complete = false;
    if (!pod->second.is_deleting()) remove_pod(stateful_set, pod->second);
    if (!parallel) break;
  }
  return is_complete;
}

void StatefulSets::remove_pod(const Object& stateful_set, const Object& pod) {
  objects_.remove("pods", pod);
  write_event(objects_, stateful_set, "SuccessfulDelete",
              fmt::format("delete Pod {} in StatefulSet {} successful", pod.name(), stateful_set.name()));
}

// Replaces the Pod with the highest ordinal that has an old template.
void StatefulSets::update(const Object& stateful_set, const Pods& pods, const Revisions& revisions) {
  if (stateful_set["/spec/updateStrategy/type"] == "OnDelete") return;
  for (auto pod = pods.rbegin(); pod != pods.rend(); ++pod) {
    if (pod->first < first_ordinal(stateful_set) + partition_of(stateful_set)) return;
    if (has_revision(stateful_set, pod->second, revisions.update)) continue;
    if (!pod->second.is_deleting()) remove_pod(stateful_set, pod->second);
    return;
  }
}

void StatefulSets::create_pod(const Object& stateful_set, std::int64_t ordinal, const std::string& revision) {
  const Value pod_template = template_of(objects_, stateful_set, revision);
  Value pod = pod_of_template(Object(pod_template).root(), stateful_set);
  const std::string name = fmt::format("{}-{}", stateful_set.name(), ordinal);
  json::object& metadata = metadata_in(pod);
  metadata["name"] = name;
  json::object& labels = object_in(pod.get_object()["metadata"], "labels");
  labels[revision_label] = full_name(stateful_set, revision);
  labels["statefulset.kubernetes.io/pod-name"] = name;
  labels["apps.kubernetes.io/pod-index"] = std::to_string(ordinal);
  json::object& spec = object_in(pod, "spec");
  spec["hostname"] = name;
  if (const View service = stateful_set["/spec/serviceName"]; !service.text().empty()) {
    spec["subdomain"] = service.text();
  }
  create_claims(stateful_set, ordinal, pod);
  if (objects_.create("pods", stateful_set.namespace_(), std::move(pod))) {
    write_event(objects_, stateful_set, "SuccessfulCreate",
                fmt::format("create Pod {} in StatefulSet {} successful", name, stateful_set.name()));
  } else if (const auto& refusal = objects_.refusal()) {
    write_event(objects_, stateful_set, "FailedCreate",
                fmt::format("create Pod {} in StatefulSet {} failed error: {}", name, stateful_set.name(), *refusal),
                "Warning");
  }
}

// Creates the claims of a Pod that do not exist yet, and makes them its volumes.
void StatefulSets::create_claims(const Object& stateful_set, std::int64_t ordinal, Value& pod) {
  for (const View claim_template : stateful_set["/spec/volumeClaimTemplates"].elements()) {
    const std::string_view volume = claim_template["/metadata/name"].text();
    const std::string name = fmt::format("{}-{}-{}", volume, stateful_set.name(), ordinal);
    if (!objects_.get({std::string(claims), storage_key(stateful_set.namespace_(), name)})) {
      Value claim = claim_template.to_value();
      claim.get_object().erase("status");
      json::object& metadata = metadata_in(claim);
      metadata["name"] = name;
      metadata["labels"] = stateful_set["/spec/selector/matchLabels"].to_value();
      if (objects_.create(claims, stateful_set.namespace_(), std::move(claim))) {
        write_event(objects_, stateful_set, "SuccessfulCreate",
                    fmt::format("create Claim {} Pod {}-{} in StatefulSet {} success", name, stateful_set.name(),
                                ordinal, stateful_set.name()));
      }
    }
    Value& volumes = object_in(pod, "spec")["volumes"];
    if (!volumes.is_array()) volumes.emplace_array();
    json::array& list = volumes.get_array();
    list.erase(
        std::remove_if(list.begin(), list.end(), [&](const Value& one) { return text_at(one, "/name") == volume; }),
        list.end());
    list.emplace_back(json::object{{"name", volume}, {"persistentVolumeClaim", json::object{{"claimName", name}}}});
  }
}

void StatefulSets::write_status(const Object& stateful_set, const Pods& pods, const Revisions& revisions) {
  std::int64_t all = 0;
  std::int64_t ready = 0;
  std::int64_t available = 0;
  std::int64_t current = 0;
  std::int64_t updated = 0;
  for (const auto& [ordinal, pod] : pods) {
    if (!is_active(pod)) continue;
    ++all;
    if (is_ready(pod)) ++ready;
    if (is_available(stateful_set, pod)) ++available;
    if (has_revision(stateful_set, pod, revisions.update)) ++updated;
    if (has_revision(stateful_set, pod, revisions.current)) ++current;
  }
  const std::int64_t wanted = integer_at(stateful_set, "/spec/replicas", 1);
  const bool is_updated = updated == wanted && all == wanted && ready == wanted;
  json::object status{{"observedGeneration", stateful_set.generation()}, {"replicas", all}};
  const auto add = [&](const char* name, std::int64_t number) {
    if (number != 0) status[name] = number;
  };
  add("readyReplicas", ready);
  add("currentReplicas", is_updated ? updated : current);
  add("updatedReplicas", updated);
  status["currentRevision"] = full_name(stateful_set, is_updated ? revisions.update : revisions.current);
  status["updateRevision"] = full_name(stateful_set, revisions.update);
  status["collisionCount"] = 0;
  status["availableReplicas"] = available;
  objects_.set_status(collection_of_stateful_sets, stateful_set, status);
}

// Returns when the next ready Pod becomes available.
Instant StatefulSets::next_available(const Object& stateful_set, const Pods& pods) const {
  Instant due = Instant::max();
  for (const auto& [ordinal, pod] : pods) {
    const auto from = available_from(pod, integer_at(stateful_set, "/spec/minReadySeconds"));
    if (from && *from > objects_.wall_now()) due = std::min(due, objects_.instant_of(*from));
  }
  return due;
}

}  // namespace pintle::apiserver
