// SPDX-License-Identifier: Apache-2.0
#include "cluster_controllers.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "cluster_values.hpp"
#include "cron_jobs.hpp"
#include "daemon_sets.hpp"
#include "deployments.hpp"
#include "endpoints.hpp"
#include "jobs.hpp"
#include "pods.hpp"
#include "replica_sets.hpp"
#include "stateful_sets.hpp"

namespace pintle::apiserver {
namespace {

constexpr std::size_t changes_in_a_batch = 256;
constexpr std::size_t reconciles_in_a_round = 256;

// The kinds without a controller of which others depend.
constexpr std::array also_followed = {"nodes", "controllerrevisions.apps", "endpointslices.discovery.k8s.io"};

std::string key_of(const Object& object) { return storage_key(object.namespace_(), object.name()); }

}  // namespace

ClusterControllers::ClusterControllers(Service& service) : service_(service), objects_(service) {
  controllers_["pods"] = std::make_unique<Pods>(objects_);
  controllers_["replicasets.apps"] = std::make_unique<ReplicaSets>(objects_);
  controllers_["deployments.apps"] = std::make_unique<Deployments>(objects_);
  controllers_["statefulsets.apps"] = std::make_unique<StatefulSets>(objects_);
  controllers_["daemonsets.apps"] = std::make_unique<DaemonSets>(objects_);
  controllers_["jobs.batch"] = std::make_unique<Jobs>(objects_);
  controllers_["cronjobs.batch"] = std::make_unique<CronJobs>(objects_);
  controllers_["services"] = std::make_unique<ServiceEndpoints>(objects_);
}

Instant ClusterControllers::round() {
  for (const auto& [collection, controller] : controllers_) follow(collection);
  for (const char* collection : also_followed) follow(collection);
  const Instant now = objects_.now();
  std::erase_if(due_, [&](const auto& one) {
    if (one.second > now) return false;
    changed_.insert(one.first);
    return true;
  });
  for (std::size_t done = 0; done < reconciles_in_a_round && !changed_.empty(); ++done) {
    const Place place = *changed_.begin();
    changed_.erase(changed_.begin());
    reconcile(place);
  }
  if (!changed_.empty()) return now;
  Instant next = Instant::max();
  for (const auto& [place, due] : due_) next = std::min(next, due);
  return next;
}

void ClusterControllers::reconcile(const Place& place) {
  due_.erase(place);
  const auto controller = controllers_.find(place.first);
  const Object object = objects_.get(place);
  if (controller == controllers_.end() || !object || object.is_deleting()) return;
  const Instant due = controller->second->reconcile(object);
  if (due != Instant::max()) due_[place] = due;
}

void ClusterControllers::follow(const std::string& collection) {
  auto found = places_.find(collection);
  while (found != places_.end()) {
    const Batch batch = service_.storage.read(collection, found->second, changes_in_a_batch, 0);
    for (const ChangePtr& change : batch.changes) {
      if (change->deleted) {
        note_gone(collection, change->after);
      } else {
        note(collection, change->after);
      }
    }
    if (batch.drained) return;
    if (batch.lost) {
      places_.erase(found);
      break;
    }
  }
  const auto [page, place] = service_.storage.list_and_place(collection, "");
  places_.insert_or_assign(collection, place);
  objects_.forget(collection);
  for (const Object& object : page.objects) note(collection, object);
}

void ClusterControllers::note(const std::string& collection, const Object& object) {
  const Place place{collection, key_of(object)};
  if (controllers_.contains(collection)) changed_.insert(place);
  objects_.note(place, object);
  add_dependents(collection, object);
}

void ClusterControllers::note_gone(const std::string& collection, const Object& object) {
  const Place place{collection, key_of(object)};
  objects_.note_gone(place);
  due_.erase(place);
  if (const auto controller = controllers_.find(collection); controller != controllers_.end()) {
    controller->second->forget(std::string(object.uid()));
  }
  add_dependents(collection, object);
}

// Adds the objects whose state depends on this one: those that control it, and those that run on a Node or select a
// Pod.
void ClusterControllers::add_dependents(const std::string& collection, const Object& object) {
  add_controllers_of(object);
  if (collection == "pods") {
    for (const Object& service : objects_.list("services", object.namespace_())) add("services", service);
  }
  if (collection != "nodes") return;
  for (const Object& daemon_set : objects_.list("daemonsets.apps")) add("daemonsets.apps", daemon_set);
  for (const Object& pod : objects_.list("pods")) {
    if (pod["/spec/nodeName"].text().empty()) add("pods", pod);
  }
}

// A Deployment depends on the Pods of its ReplicaSets too.
void ClusterControllers::add_controllers_of(const Object& object) {
  const json::View owner = controller_of(object);
  if (!owner.exists()) return;
  const auto resource =
      service_.registry.catalog()->find_kind(owner.member("apiVersion").text(), owner.member("kind").text());
  if (resource == nullptr || !controllers_.contains(resource->collection)) return;
  const Object controller =
      objects_.get({resource->collection, storage_key(object.namespace_(), owner.member("name").text())});
  if (!controller || controller.uid() != owner.member("uid").text() || !add(resource->collection, controller)) return;
  add_controllers_of(controller);
}

// Returns false if the object was already added.
bool ClusterControllers::add(const std::string& collection, const Object& object) {
  return changed_.emplace(collection, key_of(object)).second;
}

}  // namespace pintle::apiserver
