// SPDX-License-Identifier: Apache-2.0
#include "namespaces.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "apiserver/objects/write.hpp"
#include "apiserver/registry/values.hpp"

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
    } else if (empty(namespace_.name())) {
      release(namespace_);
    }
  }
  terminating_since_ = std::move(still);
  return due;
}

bool Namespaces::empty(std::string_view name) {
  bool is_empty = true;
  for (const ResourcePtr& resource : service_.registry.catalog()->collections()) {
    if (!resource->namespaced) continue;
    for (const Object& object : service_.storage.objects(resource->collection, name)) {
      const DeleteOptions options{.uid = std::string(object.uid()), .propagation = DeletionPropagation::background};
      if (object.is_deleting()) {
        is_empty = false;
      } else if (auto deleted = delete_object(service_, *resource, name, object.name(), options);
                 deleted && !deleted->gone) {
        is_empty = false;
      }
    }
  }
  return is_empty;
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
