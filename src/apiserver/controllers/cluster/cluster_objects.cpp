// SPDX-License-Identifier: Apache-2.0
#include "cluster_objects.hpp"

#include <algorithm>

#include "apiserver/objects/write.hpp"
#include "apiserver/registry/values.hpp"
#include "cluster_values.hpp"

namespace pintle::apiserver {
namespace {

const User controller_manager{.name = "system:kube-controller-manager", .groups = {"system:authenticated"}};
const WriteOptions as_controller{.manager = "kube-controller-manager"};
// New objects get the defaults of the admission plugins, such as those of a LimitRange.
const WriteOptions as_creator{
    .manager = "kube-controller-manager", .user = &controller_manager, .skips_webhooks = true};

}  // namespace

Instant ClusterObjects::instant_of(WallTime time) const {
  return after(now(), std::max(time - wall_now(), WallTime::duration::zero()));
}

std::vector<Object> ClusterObjects::owned_by(const Object& owner, std::string_view collection) const {
  std::vector<Object> out;
  const auto found = owned_.find(std::string(owner.uid()));
  if (found == owned_.end()) return out;
  for (const Place& place : found->second) {
    if (place.first != collection) continue;
    if (Object object = get(place)) out.push_back(std::move(object));
  }
  return out;
}

std::vector<Object> ClusterObjects::orphans(std::string_view collection, std::string_view namespace_) const {
  std::vector<Object> out;
  const Place first{collection, storage_key(namespace_, "")};
  for (auto place = orphans_.lower_bound(first); place != orphans_.end(); ++place) {
    if (place->first != first.first || !place->second.starts_with(first.second)) break;
    if (Object object = get(*place)) out.push_back(std::move(object));
  }
  return out;
}

Object ClusterObjects::get_owner(json::View reference, std::string_view namespace_) const {
  const ResourcePtr resource =
      service_.registry.catalog()->find_kind(reference.member("apiVersion").text(), reference.member("kind").text());
  if (resource == nullptr) return {};
  Object found = get({resource->collection, storage_key(resource->namespaced ? namespace_ : std::string_view{},
                                                        reference.member("name").text())});
  return found && reference.member("uid") == found.uid() ? found : Object();
}

bool ClusterObjects::is_served(json::View reference) const {
  return service_.registry.catalog()->find_kind(reference.member("apiVersion").text(),
                                                reference.member("kind").text()) != nullptr;
}

std::optional<std::int64_t> ClusterObjects::replicas_of(const Object& object) const {
  const ResourcePtr resource = service_.registry.catalog()->find_kind(object.api_version(), object.kind());
  if (resource == nullptr || !resource->scale) return std::nullopt;
  return integer_at(object, resource->scale->spec_replicas);
}

std::optional<Object> ClusterObjects::create(std::string_view collection, std::string_view namespace_,
                                             json::Value object) {
  const ResourcePtr resource = service_.registry.catalog()->of_collection(collection);
  auto made = create_object(service_, *resource, namespace_, std::move(object), as_creator);
  if (made) return std::move(made->object);
  if (made.error().code == 403) refusal_ = made.error().message;
  service_.log.debug("a controller could not create an object",
                     {{"collection", std::string(collection)}, {"reason", made.error().message}});
  return std::nullopt;
}

std::optional<Object> ClusterObjects::edit(std::string_view collection, const Object& object,
                                           const std::function<void(json::Value&)>& change, std::string subresource) {
  const ResourcePtr resource = service_.registry.catalog()->of_collection(collection);
  const Edit edit{.make = [&](const json::Value& current) -> StatusOr<json::Value> {
                    json::Value next = current;
                    if (text_at(current, "/metadata/uid") == object.uid()) change(next);
                    return next;
                  },
                  .subresource = std::move(subresource)};
  auto written = edit_object(service_, *resource, object.namespace_(), object.name(), edit, as_controller);
  if (written) return std::move(written->object);
  service_.log.debug("a controller could not change an object", {{"collection", std::string(collection)},
                                                                 {"name", std::string(object.name())},
                                                                 {"reason", written.error().message}});
  return std::nullopt;
}

void ClusterObjects::set_status(std::string_view collection, const Object& object, const json::object& status) {
  if (object["/status"] == Object(json::Value(status)).root()) return;
  edit(
      collection, object, [&](json::Value& next) { next.get_object()["status"] = status; }, "status");
}

void ClusterObjects::remove(std::string_view collection, const Object& object) {
  const ResourcePtr resource = service_.registry.catalog()->of_collection(collection);
  // An error means that the object is already gone.
  (void)delete_object(service_, *resource, object.namespace_(), object.name(),
                      {.uid = std::string(object.uid()), .propagation = DeletionPropagation::background});
}

void ClusterObjects::note(const Place& place, const Object& object) {
  const std::string owner(controller_of(object).member("uid").text());
  const bool can_be_adopted = place.first == "pods" || place.first == "replicasets.apps";
  if (owner.empty() && can_be_adopted) {
    orphans_.insert(place);
  } else {
    orphans_.erase(place);
  }
  const auto known = owners_.find(place);
  if (known != owners_.end() && known->second == owner) return;
  forget_owner(place);
  if (owner.empty()) return;
  owners_.emplace(place, owner);
  owned_[owner].insert(place);
}

void ClusterObjects::note_gone(const Place& place) {
  orphans_.erase(place);
  forget_owner(place);
}

void ClusterObjects::forget_owner(const Place& place) {
  const auto known = owners_.find(place);
  if (known == owners_.end()) return;
  const auto owned = owned_.find(known->second);
  owned->second.erase(place);
  if (owned->second.empty()) owned_.erase(owned);
  owners_.erase(known);
}

void ClusterObjects::forget(std::string_view collection) {
  std::vector<Place> gone;
  for (const auto& [place, owner] : owners_) {
    if (place.first == collection) gone.push_back(place);
  }
  for (const Place& place : gone) forget_owner(place);
  std::erase_if(orphans_, [&](const Place& place) { return place.first == collection; });
}

}  // namespace pintle::apiserver
