// SPDX-License-Identifier: Apache-2.0
#include "namespaces.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "apiserver/objects/write.hpp"
#include "apiserver/registry/values.hpp"
#include "condition_writer.hpp"

namespace pintle::apiserver {

namespace {

// The namespace controller of a cluster is a client, whose deletions pass admission.
const User namespace_controller{
    .name = "system:serviceaccount:kube-system:namespace-controller",
    .groups = {"system:serviceaccounts", "system:serviceaccounts:kube-system", "system:authenticated"}};

constexpr Duration first_repetition = std::chrono::milliseconds(5);
constexpr Duration last_repetition = std::chrono::seconds(60);
constexpr int max_repetition_doublings = 14;

}  // namespace

Instant Namespaces::round() {
  Instant due = Instant::max();
  const Version written = service_.storage.last_write("namespaces");
  if (written == processed_ && terminating_.empty()) return due;
  processed_ = written;
  std::map<std::string, Terminating> still;
  for (const Object& namespace_ : service_.storage.objects("namespaces")) {
    if (!namespace_.is_deleting()) continue;
    const std::string uid(namespace_.uid());
    const auto found = terminating_.find(uid);
    Terminating& state = still[uid];
    state = found == terminating_.end() ? Terminating{.since = service_.executor.now()} : found->second;
    due = std::min(due, process(namespace_, state));
  }
  terminating_ = std::move(still);
  return due;
}

// Returns when the namespace is due again even without a write.
Instant Namespaces::process(const Object& namespace_, Terminating& state) {
  const Instant now = service_.executor.now();
  const Instant begin = std::max(after(state.since, termination_delay_), state.retry);
  if (now < begin) return begin;
  Remainder left;
  empty(namespace_.name(), left);
  if (left.objects.empty() && left.errors.empty()) {
    release(namespace_);
    return Instant::max();
  }
  report(namespace_, left);
  if (left.errors.empty()) return Instant::max();
  const int doublings = std::min(state.refusals++, max_repetition_doublings);
  state.retry =
      after(service_.executor.now(), std::min<Duration>(first_repetition * (1 << doublings), last_repetition));
  return state.retry;
}

// A refusal stops the deletion of the other objects of the resource, as in a deletion of a collection.
void Namespaces::empty(const Resource& resource, std::string_view name, Remainder& left) {
  const std::string what = fmt::format("{}.{}", resource.plural, resource.group);
  for (const Object& object : service_.storage.objects(resource.collection, name)) {
    const DeleteOptions options{.uid = std::string(object.uid()),
                                .propagation = DeletionPropagation::background,
                                .user = &namespace_controller,
                                .of_collection = true};
    if (!object.is_deleting()) {
      const auto deleted = delete_object(service_, resource, name, object.name(), options);
      const bool is_gone = deleted ? deleted->gone : deleted.error().code == 404;
      if (is_gone) continue;
      if (!deleted && deleted.error().code != 409) {
        left.errors.push_back(deleted.error().message);
        left.objects.erase(what);
        return;
      }
    }
    ++left.objects[what];
    for (const json::View finalizer : object.finalizers().elements()) ++left.finalizers[std::string(finalizer.text())];
  }
}

void Namespaces::empty(std::string_view name, Remainder& left) {
  const auto catalog = service_.registry.catalog();
  empty(*catalog->of_collection("pods"), name, left);
  if (!left.objects.empty() || !left.errors.empty()) return;
  for (const ResourcePtr& resource : catalog->collections()) {
    if (resource->namespaced) empty(*resource, name, left);
  }
  std::sort(left.errors.begin(), left.errors.end());
}

void Namespaces::report(const Object& namespace_, const Remainder& left) {
  std::vector<std::string> objects;
  std::vector<std::string> finalizers;
  for (const auto& [resource, count] : left.objects) {
    objects.push_back(fmt::format("{} has {} resource instances", resource, count));
  }
  for (const auto& [finalizer, count] : left.finalizers) {
    finalizers.push_back(fmt::format("{} in {} resource instances", finalizer, count));
  }
  const std::string now = format_time(service_.executor.wall_now());
  const Edit edit{
      .make = [&](const json::Value& current) -> StatusOr<json::Value> {
        json::Value next = current;
        ConditionWriter conditions(next, now);
        conditions.set("NamespaceDeletionDiscoveryFailure", false, "ResourcesDiscovered",
                       "All resources successfully discovered");
        conditions.set("NamespaceDeletionGroupVersionParsingFailure", false, "ParsedGroupVersions",
                       "All legacy kube types successfully parsed");
        if (left.errors.empty()) {
          conditions.set("NamespaceDeletionContentFailure", false, "ContentDeleted",
                         "All content successfully deleted, may be waiting on finalization");
        } else {
          conditions.set("NamespaceDeletionContentFailure", true, "ContentDeletionFailed",
                         fmt::format("Failed to delete all resource types, {} remaining: {}", left.errors.size(),
                                     fmt::join(left.errors, ", ")));
        }
        if (objects.empty()) {
          conditions.set("NamespaceContentRemaining", false, "ContentRemoved", "All content successfully removed");
        } else {
          conditions.set("NamespaceContentRemaining", true, "SomeResourcesRemain",
                         fmt::format("Some resources are remaining: {}", fmt::join(objects, ", ")));
        }
        if (finalizers.empty()) {
          conditions.set("NamespaceFinalizersRemaining", false, "ContentHasNoFinalizers",
                         "All content-preserving finalizers finished");
        } else {
          conditions.set(
              "NamespaceFinalizersRemaining", true, "SomeFinalizersRemain",
              fmt::format("Some content in the namespace has finalizers remaining: {}", fmt::join(finalizers, ", ")));
        }
        return next;
      },
      .subresource = "status"};
  const ResourcePtr resource = service_.registry.catalog()->find("", "v1", "namespaces");
  if (!edit_object(service_, *resource, "", namespace_.name(), edit, {.manager = "kube-controller-manager"})) {
    service_.log.debug("a namespace was deleted before its status was written",
                       {{"name", std::string(namespace_.name())}});
  }
}

void Namespaces::release(const Object& namespace_) {
  const Edit edit{.make = [](const json::Value& current) -> StatusOr<json::Value> {
                    json::Value next = current;
                    json::Value& finalizers = object_in(next, "spec")["finalizers"];
                    if (!finalizers.is_array()) return next;
                    json::array& list = finalizers.get_array();
                    list.erase(std::remove(list.begin(), list.end(), json::Value("kubernetes")), list.end());
                    return next;
                  },
                  .subresource = "finalize"};
  const ResourcePtr resource = service_.registry.catalog()->find("", "v1", "namespaces");
  if (!edit_object(service_, *resource, "", namespace_.name(), edit, {.manager = "kube-controller-manager"})) {
    service_.log.debug("a namespace was deleted before its finalizer was removed",
                       {{"name", std::string(namespace_.name())}});
  }
}

}  // namespace pintle::apiserver
