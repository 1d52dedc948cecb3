// SPDX-License-Identifier: Apache-2.0
#include "collector.hpp"

#include <algorithm>
#include <utility>

#include "apiserver/objects/write.hpp"
#include "apiserver/registry/values.hpp"

namespace pintle::apiserver {
namespace {

constexpr std::string_view foreground = "foregroundDeletion";
constexpr std::string_view orphan = "orphan";

// The garbage collector of a cluster is a client, whose writes pass admission.
const User collector{
    .name = "system:serviceaccount:kube-system:generic-garbage-collector",
    .groups = {"system:serviceaccounts", "system:serviceaccounts:kube-system", "system:authenticated"}};
const WriteOptions as_collector{.manager = "kube-controller-manager", .user = &collector};

constexpr Duration first_retry = std::chrono::milliseconds(5);
constexpr Duration last_retry = std::chrono::seconds(1'000);
constexpr int max_doublings = 20;

}  // namespace

Instant Collector::round(bool registry_changed) {
  due_ = Instant::max();
  follow();
  if (registry_changed) to_examine_.merge(std::exchange(unresolved_, {}));
  for (const auto& [uid, since] : deletions_) to_examine_.insert(uid);
  const Instant now = service_.executor.now();
  for (const auto& [uid, retry] : retries_) {
    if (retry.at <= now) to_examine_.insert(uid);
  }
  // The changes that an examination makes are writes, so the next round processes them.
  for (const std::string& uid : std::exchange(to_examine_, {})) examine(uid);
  std::erase_if(retries_, [&](const auto& one) { return !nodes_.contains(one.first); });
  for (const auto& [uid, retry] : retries_) due_ = std::min(due_, retry.at);
  return due_;
}

void Collector::examine(const std::string& uid) {
  const auto retry = retries_.find(uid);
  if (retry != retries_.end() && retry->second.at > service_.executor.now()) return;
  is_refused_ = false;
  examine_once(uid);
  if (is_refused_) {
    schedule_retry(uid);
  } else if (retry != retries_.end()) {
    retries_.erase(uid);
  }
}

// A missing object and a conflict mean that another client deleted or changed the object. The next round processes that
// change.
void Collector::note_refusal(const Refusal& refusal) {
  is_refused_ = is_refused_ || (refusal.code != 404 && refusal.code != 409);
}

void Collector::schedule_retry(const std::string& uid) {
  Retry& retry = retries_[uid];
  const int doublings = std::min(retry.attempts++, max_doublings);
  retry.at = after(service_.executor.now(), std::min<Duration>(first_retry * (1 << doublings), last_retry));
}

// Continues a deletion that orphans dependents or waits for them. Returns false for any other object, whose owners must
// then be examined.
bool Collector::finish_deletion(const Node& node, const std::string& uid) {
  if (!node.orphans_dependents && !node.awaits_dependents) return false;
  const Instant now = service_.executor.now();
  const Instant end = after(deletions_.try_emplace(uid, now).first->second, termination_delay_);
  if (now < end) {
    due_ = std::min(due_, end);
    return true;
  }
  if (node.orphans_dependents) {
    for (const std::string& dependent : dependents_of(uid, false)) remove_owners(nodes_.at(dependent), {uid});
    remove_finalizer(node, orphan);
    return true;
  }
  const Uids blocking = dependents_of(uid, true);
  if (blocking.empty()) {
    remove_finalizer(node, foreground);
  } else {
    for (const std::string& dependent : dependents_of(uid, false)) examine_owners(nodes_.at(dependent), dependent);
  }
  return true;
}

void Collector::examine_once(const std::string& uid) {
  const auto found = nodes_.find(uid);
  if (found == nodes_.end()) return;
  const Node node = found->second;
  if (!finish_deletion(node, uid)) examine_owners(node, uid);
}

void Collector::examine_owners(const Node& node, const std::string& uid) {
  const ResourcePtr resource = resource_of(node);
  if (resource == nullptr || node.owners.empty()) return;
  const Object object = service_.storage.get(node.collection, storage_key(node.namespace_, node.name));
  if (!object || object.uid() != uid || object.is_deleting()) return;

  Uids absent;
  Uids waiting;
  bool has_owner = false;
  for (const Owner& owner : node.owners) {
    const OwnerState state = state_of(owner, node);
    if (state == OwnerState::absent) absent.insert(owner.uid);
    if (state == OwnerState::waiting) waiting.insert(owner.uid);
    if (state == OwnerState::unknown) unresolved_.insert(uid);
    has_owner = has_owner || state == OwnerState::there || state == OwnerState::unknown;
  }
  if (has_owner) {
    absent.merge(waiting);
    if (!absent.empty()) remove_owners(node, absent);
    return;
  }
  DeleteOptions options{.uid = uid, .propagation = DeletionPropagation::background, .user = &collector};
  const Uids dependents = dependents_of(uid, false);
  if (!waiting.empty() && !dependents.empty()) {
    options.propagation = DeletionPropagation::foreground;
    // In a cycle, each object would wait for the next one for ever.
    const bool is_cyclic = std::any_of(dependents.begin(), dependents.end(),
                                       [&](const std::string& one) { return waits_now(nodes_.at(one)); });
    if (is_cyclic && !unblock_owners(node)) return;
  }
  if (object.has_finalizer(orphan)) options.propagation = DeletionPropagation::orphan;
  if (object.has_finalizer(foreground)) options.propagation = DeletionPropagation::foreground;
  const auto deleted = delete_object(service_, *resource, node.namespace_, node.name, options);
  if (!deleted) note_refusal(deleted.error());
}

Collector::OwnerState Collector::state_of(const Owner& owner, const Node& node) {
  if (gone_.contains(owner.uid)) return OwnerState::absent;
  const ResourcePtr resource = service_.registry.catalog()->find_kind(owner.api_version, owner.kind);
  if (resource == nullptr || (resource->namespaced && node.namespace_.empty())) return OwnerState::unknown;
  const Object object = service_.storage.get(
      resource->collection, storage_key(resource->namespaced ? node.namespace_ : std::string(), owner.name));
  if (!object || object.uid() != owner.uid) return OwnerState::absent;
  return object.is_deleting() && object.has_finalizer(foreground) ? OwnerState::waiting : OwnerState::there;
}

// True if an object is deleted with propagation Foreground. The graph may not contain that yet.
bool Collector::waits_now(const Node& node) const {
  const Object object = service_.storage.get(node.collection, storage_key(node.namespace_, node.name));
  return object && object.is_deleting() && object.has_finalizer(foreground);
}

Collector::Uids Collector::dependents_of(const std::string& uid, bool only_blocking) const {
  const auto found = dependents_.find(uid);
  if (found == dependents_.end()) return {};
  if (!only_blocking) return found->second;
  Uids blocking;
  for (const std::string& dependent : found->second) {
    const auto& owners = nodes_.at(dependent).owners;
    const bool blocks =
        std::any_of(owners.begin(), owners.end(), [&](const Owner& owner) { return owner.uid == uid && owner.blocks; });
    if (blocks) blocking.insert(dependent);
  }
  return blocking;
}

void Collector::remove_owners(const Node& node, const Uids& owners) {
  const ResourcePtr resource = resource_of(node);
  if (resource == nullptr) return;
  const Edit edit{.make = [&](const json::Value& current) -> StatusOr<json::Value> {
    json::Value next = current;
    json::Value* list = json::find(next, "/metadata/ownerReferences");
    if (list == nullptr || !list->is_array()) return next;
    json::array kept;
    for (json::Value& reference : list->get_array()) {
      if (!owners.contains(std::string(text_at(reference, "/uid")))) kept.push_back(std::move(reference));
    }
    *list = std::move(kept);
    return next;
  }};
  const auto written = edit_object(service_, *resource, node.namespace_, node.name, edit, as_collector);
  if (!written) note_refusal(written.error());
}

// Sets blockOwnerDeletion to false in all owner references. Returns false if the change was refused.
bool Collector::unblock_owners(const Node& node) {
  const ResourcePtr resource = resource_of(node);
  if (resource == nullptr) return false;
  const Edit edit{.make = [](const json::Value& current) -> StatusOr<json::Value> {
    json::Value next = current;
    each_object(next, "/metadata/ownerReferences",
                [](json::Value& reference) { reference.get_object()["blockOwnerDeletion"] = false; });
    return next;
  }};
  const auto written = edit_object(service_, *resource, node.namespace_, node.name, edit, as_collector);
  if (!written) note_refusal(written.error());
  return written.has_value();
}

void Collector::remove_finalizer(const Node& node, std::string_view finalizer) {
  const ResourcePtr resource = resource_of(node);
  if (resource == nullptr) return;
  const Edit edit{.make = [&](const json::Value& current) -> StatusOr<json::Value> {
    json::Value next = current;
    json::Value* list = json::find(next, "/metadata/finalizers");
    if (list == nullptr || !list->is_array()) return next;
    json::array& names = list->get_array();
    names.erase(std::remove(names.begin(), names.end(), json::Value(finalizer)), names.end());
    return next;
  }};
  const auto written = edit_object(service_, *resource, node.namespace_, node.name, edit, as_collector);
  if (!written) note_refusal(written.error());
}

ResourcePtr Collector::resource_of(const Node& node) const {
  return service_.registry.catalog()->of_collection(node.collection);
}

}  // namespace pintle::apiserver
