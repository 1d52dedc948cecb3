// SPDX-License-Identifier: Apache-2.0
// ClusterControllers: the controllers of a cluster that tests need: workloads, the life of Pods,
// endpoints, service accounts, disruption budgets.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cluster_controller.hpp"
#include "cluster_objects.hpp"

namespace pintle::apiserver {

// Follows the changes of the kinds that have a controller, and reconciles an object when it or an object that it
// controls has changed. Used by one thread.
class ClusterControllers {
 public:
  // `ca_certificate`: of this server, as PEM.
  ClusterControllers(Service& service, const std::string& ca_certificate);

  // Does the work that is due now, at most a fixed number of reconciles. Returns when more is due even without a write;
  // Instant::max(): never.
  Instant round();

 private:
  using Place = ClusterObjects::Place;

  void follow(const std::string& collection);
  void note(const std::string& collection, const Object& object);
  void note_gone(const std::string& collection, const Object& object);
  void add_dependents(const std::string& collection, const Object& object);
  void add_controllers_of(const Object& object);
  void add_all(const std::string& collection, std::string_view namespace_);
  void add_adopters(const std::string& collection, const Object& orphan);
  void add_account_users(const std::string& collection, const Object& object);
  void add_volume_users(const std::string& collection, const Object& object);
  void add_unbound_claims(std::string_view namespace_);
  void repeat_refused(std::string_view namespace_);
  bool add(const std::string& collection, const Object& object);
  void reconcile(const Place& place);

  Service& service_;
  ClusterObjects objects_;
  std::map<std::string, std::unique_ptr<ClusterController>, std::less<>> controllers_;  // by collection
  std::map<std::string, Position> places_;                                              // by collection
  std::set<Place> changed_;
  std::map<Place, Instant> due_;
  std::set<Place> refused_;  // objects for which the server refused to create another one
};

}  // namespace pintle::apiserver
