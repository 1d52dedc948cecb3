// SPDX-License-Identifier: Apache-2.0
#include <pintle/patterns/service/api_reconciler.hpp>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include <pintle/base/text.hpp>
#include <pintle/object/names.hpp>

#include "api_reconcile_run.hpp"

namespace pintle::service {
namespace {

// The differences between the clusters that the service uses and the clusters that its cluster access requests.
std::vector<std::string> cluster_errors(const AnyApiReconciler& spec) {
  const auto requested = spec.cluster_access == nullptr ? std::nullopt : spec.cluster_access->cluster_ids();
  if (!requested) return {};
  std::set<std::string> used(spec.more_clusters.begin(), spec.more_clusters.end());
  used.emplace(mcp_cluster_id);
  if (spec.workload_cluster) used.emplace(workload_cluster_id);
  std::vector<std::string> errors;
  for (const std::string& id : used) {
    if (requested->contains(id)) continue;
    errors.push_back("the service uses the cluster " + quote(id) +
                     ", which its cluster access does not request: declare it in both or in none");
  }
  for (const std::string& id : *requested) {
    if (used.contains(id)) continue;
    errors.push_back("the cluster access requests the cluster " + quote(id) +
                     ", which the service does not use: set .workload_cluster, or add the id to .more_clusters");
  }
  return errors;
}

}  // namespace

std::vector<Error> AnyApiReconciler::validate() const {
  std::vector<Error> errors;
  const auto wrong = [&](const std::string& what) { errors.push_back(make_error(ErrorCode::invalid, what)); };
  const auto require = [&](bool is_there, const std::string& what) {
    if (!is_there) wrong(what + " is required");
  };
  require(cluster_access != nullptr, "cluster access reconciler");
  require(!onboarding_cluster.empty(), "onboarding cluster");
  require(!config.cluster.empty(), "platform cluster");
  require(has_reconciler, "reconciler");
  require(has_additional_data, "each function of the additional data");
  require(!config.key.name.empty(), "provider name");
  if (auto error = names::validate_dns1123_subdomain(config.key.name); error && !config.key.name.empty()) {
    wrong("provider name " + quote(config.key.name) + " " + *error);
  }
  std::set<std::string_view> ids{mcp_cluster_id, workload_cluster_id};
  for (const std::string& id : more_clusters) {
    require(!id.empty(), "the id of a cluster");
    if (!ids.insert(id).second) wrong("two clusters have the id " + quote(id));
  }
  if (cluster_access != nullptr) {
    for (Error& error : cluster_access->validate()) errors.push_back(std::move(error));
  }
  for (const std::string& error : cluster_errors(*this)) wrong(error);
  if (auto good = validate_finalizer(finalizer, FinalizerPolicy::add_then_continue); !good) {
    errors.push_back(std::move(good.error()));
  }
  return errors;
}

namespace {

void add_watches(std::vector<Watches>& watches, const ConfigSource& config, const ReferenceWatcher& watcher) {
  if (watcher.namespace_.empty()) return;
  const Watches watched{.kind = watcher.kind, .cluster = config.cluster, .namespaces = {watcher.namespace_}};
  if (watcher.is_referenced) {
    watches.push_back(watched);
    watches.back().map_with_cache = [config, test = watcher.is_referenced](const Object& referenced,
                                                                           const CacheReader& copies) {
      return test(referenced, config.current(copies)) ? copies.keys() : std::vector<ObjectKey>();
    };
  }
  if (watcher.references) {
    watches.push_back(watched);
    watches.back().references = watcher.references;
  }
}

std::vector<Watches> watches_of(const AnyApiReconciler& spec) {
  std::vector<Watches> watches{spec.config.watches()};
  for (const ReferenceWatcher& watcher : spec.references) add_watches(watches, spec.config, watcher);
  if (spec.cluster_access == nullptr) return watches;
  for (Watches& watched : spec.cluster_access->watches()) watches.push_back(std::move(watched));
  return watches;
}

// Two controllers of one controller_name and platform cluster would own each other's requests. They would share the
// cache of the AccessRequests, and a cache refuses two indexes of one name, so the start fails and names both. Nothing
// is listed by this index.
std::vector<Index> claims_of(const std::vector<Watches>& watches) {
  std::set<std::string> selectors;
  for (const Watches& watched : watches) {
    const bool is_access = watched.kind.value() == GroupVersionKind(AccessRequest::type);
    if (is_access && !watched.label_selector.empty()) selectors.insert(watched.label_selector);
  }
  std::vector<Index> claims;
  for (const std::string& selector : selectors) {
    claims.push_back({.kind = AccessRequest::type,
                      .name = "ClusterAccessOptions::controller_name, label " + selector,
                      .keys = [](const Object&) { return std::vector<std::string>(); }});
  }
  return claims;
}

}  // namespace

AnyController make_controller(AnyApiReconciler spec) {
  const auto shared = std::make_shared<const AnyApiReconciler>(std::move(spec));
  const auto& access = shared->cluster_access;
  std::vector<Watches> watches = watches_of(*shared);
  std::vector<Index> claims = claims_of(watches);
  AnyController controller = erase_type(Controller<Object>{
      .name = shared->name,
      .watch = shared->kind,
      .cluster = shared->onboarding_cluster,
      .watches = std::move(watches),
      .indexes = std::move(claims),
      .reconcile = [shared](const Object& api, Context& ctx) { return ApiReconcileRun(*shared, api, ctx).run(); },
      .workers = shared->workers,
      .backoff = shared->backoff,
      .ignore_own_writes = true,
      .rbac_rules = access == nullptr ? std::vector<RbacRule>() : access->rbac_rules()});
  controller.crd = shared->crd;
  controller.conversion = shared->conversion;
  controller.errors = shared->validate();
  return controller;
}

}  // namespace pintle::service
