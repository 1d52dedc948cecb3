// SPDX-License-Identifier: Apache-2.0
#include "cluster_controllers.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "accounts/default_accounts.hpp"
#include "accounts/secret_tokens.hpp"
#include "claims.hpp"
#include "cluster_values.hpp"
#include "cron_jobs.hpp"
#include "daemon_sets.hpp"
#include "deployments.hpp"
#include "disruption/budget_status.hpp"
#include "endpoints.hpp"
#include "jobs.hpp"
#include "nodes/node_lifecycle.hpp"
#include "pods.hpp"
#include "replica_sets.hpp"
#include "stateful_sets.hpp"
#include "volumes/volume_binding.hpp"

namespace pintle::apiserver {
namespace {

constexpr std::size_t changes_in_a_batch = 256;
constexpr std::size_t reconciles_in_a_round = 256;

// The kinds without a controller of which others depend.
constexpr std::array also_followed = {
    "nodes",         "controllerrevisions.apps", "endpointslices.discovery.k8s.io", "serviceaccounts", "configmaps",
    "resourcequotas"};

// The workloads that adopt Pods.
constexpr std::array adopters_of_pods = {"replicasets.apps", "replicationcontrollers", "statefulsets.apps",
                                         "daemonsets.apps", "jobs.batch"};

std::string key_of(const Object& object) { return storage_key(object.namespace_(), object.name()); }

}  // namespace

ClusterControllers::ClusterControllers(Service& service, const std::string& ca_certificate)
    : service_(service), objects_(service) {
  controllers_["pods"] = std::make_unique<Pods>(objects_);
  controllers_["replicasets.apps"] = std::make_unique<ReplicaSets>(objects_, "replicasets.apps");
  controllers_["replicationcontrollers"] = std::make_unique<ReplicaSets>(objects_, "replicationcontrollers");
  controllers_["deployments.apps"] = std::make_unique<Deployments>(objects_);
  controllers_["statefulsets.apps"] = std::make_unique<StatefulSets>(objects_);
  controllers_["daemonsets.apps"] = std::make_unique<DaemonSets>(objects_);
  controllers_["jobs.batch"] = std::make_unique<Jobs>(objects_);
  controllers_["cronjobs.batch"] = std::make_unique<CronJobs>(objects_);
  controllers_["services"] = std::make_unique<ServiceEndpoints>(objects_);
  controllers_["poddisruptionbudgets.policy"] = std::make_unique<BudgetStatus>(objects_);
  controllers_["namespaces"] = std::make_unique<DefaultAccounts>(objects_, ca_certificate);
  controllers_["nodes"] = std::make_unique<NodeLifecycle>(objects_);
  controllers_["persistentvolumeclaims"] = std::make_unique<VolumeClaims>(objects_);
  controllers_["persistentvolumes"] = std::make_unique<Volumes>(objects_);
  controllers_["secrets"] = std::make_unique<SecretTokens>(objects_, service.tokens, ca_certificate);
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
  if (objects_.take_refusal()) refused_.insert(place);
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
  refused_.erase(place);
  if (const auto controller = controllers_.find(collection); controller != controllers_.end()) {
    controller->second->forget(std::string(object.uid()));
  }
  add_dependents(collection, object);
}

// Adds the objects whose state depends on this one: those that control it, and those that run on a Node or select a
// Pod.
void ClusterControllers::add_dependents(const std::string& collection, const Object& object) {
  add_controllers_of(object);
  add_adopters(collection, object);
  add_account_users(collection, object);
  add_volume_users(collection, object);
  if (collection == "resourcequotas") repeat_refused(object.namespace_());
  if (collection == "pods") {
    add_all("services", object.namespace_());
    add_all("poddisruptionbudgets.policy", object.namespace_());
  }
  if (collection != "nodes") return;
  for (const Object& daemon_set : objects_.list("daemonsets.apps")) add("daemonsets.apps", daemon_set);
  for (const Object& pod : objects_.list("pods")) {
    const std::string_view node = pod["/spec/nodeName"].text();
    if (node.empty() || node == object.name()) add("pods", pod);
  }
}

void ClusterControllers::add_all(const std::string& collection, std::string_view namespace_) {
  for (const Object& object : objects_.list(collection, namespace_)) add(collection, object);
}

// Adds the workloads that may adopt an object.
void ClusterControllers::add_adopters(const std::string& collection, const Object& orphan) {
  if ((collection != "pods" && collection != "replicasets.apps") || controller_of(orphan).exists()) return;
  const auto add_those_of = [&](const std::string& workloads) {
    for (const Object& workload : objects_.list(workloads, orphan.namespace_())) {
      if (selects(workload, orphan)) add(workloads, workload);
    }
  };
  if (collection == "replicasets.apps") return add_those_of("deployments.apps");
  for (const char* workloads : adopters_of_pods) add_those_of(workloads);
}

// Adds what depends on a service account or on the certificate of a namespace.
void ClusterControllers::add_account_users(const std::string& collection, const Object& object) {
  const bool is_account = collection == "serviceaccounts";
  if (!is_account && !is_root_certificate(collection, object)) return;
  if (const Object space = objects_.get({"namespaces", storage_key("", object.namespace_())})) {
    add("namespaces", space);
  }
  if (!is_account) return;
  for (const Object& secret : objects_.list("secrets", object.namespace_())) {
    if (is_token_of(secret, object)) add("secrets", secret);
  }
}

// Adds the claims that a volume or a Pod may bind, and the volume of a claim.
void ClusterControllers::add_volume_users(const std::string& collection, const Object& object) {
  if (collection == "pods" && !object["/spec/volumes"].empty()) {
    add_unbound_claims(object.namespace_());
  } else if (collection == "persistentvolumes") {
    add_unbound_claims("");
    const json::View claim = object["/spec/claimRef"];
    const std::string key = storage_key(claim.member("namespace").text(), claim.member("name").text());
    if (const Object found = objects_.get({"persistentvolumeclaims", key})) add("persistentvolumeclaims", found);
  } else if (collection == "persistentvolumeclaims") {
    const std::string_view name = object["/spec/volumeName"].text();
    if (const Object found = objects_.get({"persistentvolumes", storage_key("", name)}))
      add("persistentvolumes", found);
  }
}

void ClusterControllers::add_unbound_claims(std::string_view namespace_) {
  for (const Object& claim : objects_.list("persistentvolumeclaims", namespace_)) {
    if (claim["/spec/volumeName"].text().empty()) add("persistentvolumeclaims", claim);
  }
}

// Adds the objects of a namespace for which the server has refused to create another object.
void ClusterControllers::repeat_refused(std::string_view namespace_) {
  const std::string prefix = storage_key(namespace_, "");
  std::erase_if(refused_, [&](const Place& place) {
    const bool is_in = place.second.starts_with(prefix) || (place.first == "namespaces" && place.second == namespace_);
    if (is_in) changed_.insert(place);
    return is_in;
  });
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
