// SPDX-License-Identifier: Apache-2.0
#include "namespaces.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "apiserver/objects/write.hpp"
#include "apiserver/registry/values.hpp"
#include "condition_writer.hpp"

namespace pintle::apiserver {

Instant Namespaces::round() {
  Instant due = Instant::max();
  const Version written = service_.storage.last_write("namespaces");
  if (written == processed_ && terminating_since_.empty()) return due;
  processed_ = written;
  std::map<std::string, Instant> still;
  const Instant now = service_.executor.now();
  for (const Object& namespace_ : service_.storage.objects("namespaces")) {
    if (!namespace_.is_deleting()) continue;
    const std::string uid(namespace_.uid());
    const auto found = terminating_since_.find(uid);
    const Instant since = found == terminating_since_.end() ? now : found->second;
    still.emplace(uid, since);
    const Instant end = after(since, termination_delay_);
    if (now < end) {
      due = std::min(due, end);
    } else {
      Remainder left;
      empty(namespace_.name(), left);
      if (left.objects.empty()) {
        release(namespace_);
      } else {
        report(namespace_, left);
      }
    }
  }
  terminating_since_ = std::move(still);
  return due;
}

void Namespaces::empty(const Resource& resource, std::string_view name, Remainder& left) {
  for (const Object& object : service_.storage.objects(resource.collection, name)) {
    const DeleteOptions options{.uid = std::string(object.uid()), .propagation = DeletionPropagation::background};
    if (!object.is_deleting()) {
      const auto deleted = delete_object(service_, resource, name, object.name(), options);
      if (deleted && deleted->gone) continue;
    }
    ++left.objects[fmt::format("{}.{}", resource.plural, resource.group)];
    for (const json::View finalizer : object.finalizers().elements()) ++left.finalizers[std::string(finalizer.text())];
  }
}

void Namespaces::empty(std::string_view name, Remainder& left) {
  const auto catalog = service_.registry.catalog();
  empty(*catalog->of_collection("pods"), name, left);
  if (!left.objects.empty()) return;
  for (const ResourcePtr& resource : catalog->collections()) {
    if (resource->namespaced) empty(*resource, name, left);
  }
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
  const Edit edit{.make = [&](const json::Value& current) -> StatusOr<json::Value> {
                    json::Value next = current;
                    ConditionWriter conditions(next, now);
                    conditions.set("NamespaceDeletionDiscoveryFailure", false, "ResourcesDiscovered",
                                   "All resources successfully discovered");
                    conditions.set("NamespaceDeletionGroupVersionParsingFailure", false, "ParsedGroupVersions",
                                   "All legacy kube types successfully parsed");
                    conditions.set("NamespaceDeletionContentFailure", false, "ContentDeleted",
                                   "All content successfully deleted, may be waiting on finalization");
                    conditions.set("NamespaceContentRemaining", true, "SomeResourcesRemain",
                                   fmt::format("Some resources are remaining: {}", fmt::join(objects, ", ")));
                    if (finalizers.empty()) {
                      conditions.set("NamespaceFinalizersRemaining", false, "ContentHasNoFinalizers",
                                     "All content-preserving finalizers finished");
                    } else {
                      conditions.set("NamespaceFinalizersRemaining", true, "SomeFinalizersRemain",
                                     fmt::format("Some content in the namespace has finalizers remaining: {}",
                                                 fmt::join(finalizers, ", ")));
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
