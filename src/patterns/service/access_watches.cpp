// SPDX-License-Identifier: Apache-2.0
#include "access_watches.hpp"

#include <map>
#include <memory>
#include <utility>

#include <pintle/patterns/service/requests.hpp>
#include <pintle/patterns/service/stable_names.hpp>

namespace pintle::service {
namespace {

using Clusters = std::vector<NamedRequests>;

// An AccessRequest, and the API object that its labels name.
struct Belongs {
  ObjectKey access_request{};
  ObjectKey labelled{};  // the API object; name and namespace are shortened if they are too long for a label value
};

// The AccessRequests that name each Secret. Used only on the thread of the dispatcher.
class NamedSecrets {
 public:
  void see(const Change& change) {
    if (change.old) forget(change.old);
    if (change.current) keep(change.current);
  }
  [[nodiscard]] std::vector<Belongs> naming(const ObjectKey& secret) const {
    std::vector<Belongs> found;
    const auto known = by_secret_.find(secret);
    if (known == by_secret_.end()) return found;
    for (const auto& [request, labelled] : known->second) found.push_back({request, labelled});
    return found;
  }

 private:
  [[nodiscard]] static ObjectKey secret_of(const Object& request) {
    return {std::string(request.namespace_()), std::string(request["/status/secretRef/name"].text())};
  }
  void keep(const Object& request) {
    const ObjectKey secret = secret_of(request);
    if (secret.name.empty()) return;
    by_secret_[secret][request.key()] = {std::string(request.label(onboarding_namespace_label)),
                                         std::string(request.label(onboarding_name_label))};
  }
  void forget(const Object& request) {
    const auto known = by_secret_.find(secret_of(request));
    if (known == by_secret_.end()) return;
    known->second.erase(request.key());
    if (known->second.empty()) by_secret_.erase(known);
  }

  std::map<ObjectKey, std::map<ObjectKey, ObjectKey>> by_secret_;
};

bool has_request(const Clusters& clusters, const ObjectKey& api, const ObjectKey& access_request) {
  for (const NamedRequests& cluster : clusters) {
    const auto names = cluster.of(api);
    if (names && names->access_request == access_request) return true;
  }
  return false;
}

std::vector<ObjectKey> apis_of(const Belongs& one, const Clusters& clusters, const CacheReader& copies) {
  if (has_request(clusters, one.labelled, one.access_request)) return {one.labelled};
  std::vector<ObjectKey> found;
  for (const ObjectKey& api : copies.keys()) {
    if (has_request(clusters, api, one.access_request)) found.push_back(api);
  }
  return found;
}

// Maps a request of a cluster that only an earlier version of the operator declared to the API object that its labels
// name. `references` cannot find it, because its name is unknown.
KeyMapWithCache apis_of_former_request(const std::string& managed_by, const Clusters& clusters) {
  return [managed_by, clusters](const Object& request, const CacheReader& copies) -> std::vector<ObjectKey> {
    if (request.label(managed_by_label) != managed_by) return {};
    const ObjectKey labelled{std::string(request.label(onboarding_namespace_label)),
                             std::string(request.label(onboarding_name_label))};
    if (labelled.name.empty() || has_request(clusters, labelled, request.key())) return {};
    const auto is_its_home = [&](const ObjectKey& api) {
      const auto home = mcp_namespace(api);
      return home && *home == request.namespace_();
    };
    if (is_its_home(labelled)) return {labelled};
    std::vector<ObjectKey> found;
    for (const ObjectKey& api : copies.keys()) {
      if (is_its_home(api)) found.push_back(api);
    }
    return found;
  };
}

MapFunction access_requests_of(const Clusters& clusters) {
  return [clusters](const Object& api) {
    std::vector<ObjectKey> keys;
    for (const NamedRequests& cluster : clusters) {
      if (const auto names = cluster.of(api.key())) keys.push_back(names->access_request);
    }
    return keys;
  };
}

MapFunction cluster_requests_of(const Clusters& clusters) {
  return [clusters](const Object& api) {
    std::vector<ObjectKey> keys;
    if (auto home = mcp_namespace(api.key())) keys.push_back({std::move(*home), std::string(api.name())});
    for (const NamedRequests& cluster : clusters) {
      const auto names = cluster.of(api.key());
      if (names && cluster.is_ours) keys.push_back(names->cluster_request);
    }
    return keys;
  };
}

}  // namespace

std::vector<Watches> access_watches(const AccessWatchOptions& options) {
  const std::string managed_by = label_value({options.controller}).value_or(options.controller);
  const auto secrets = std::make_shared<NamedSecrets>();
  Watches access{.kind = AccessRequest::type};
  access.cluster = options.platform_cluster;
  access.label_selector = std::string(managed_by_label) + "=" + managed_by;
  access.references = access_requests_of(options.clusters);
  access.predicate = Predicate([secrets](const Change& change) {
    secrets->see(change);
    return true;
  });
  Watches cluster{.kind = ClusterRequest::type};
  cluster.cluster = options.platform_cluster;
  cluster.references = cluster_requests_of(options.clusters);
  Watches former_access = access;
  former_access.references = nullptr;
  former_access.predicate = {};
  former_access.map_with_cache = apis_of_former_request(managed_by, options.clusters);
  Watches former_cluster = cluster;
  former_cluster.references = nullptr;
  former_cluster.map_with_cache = former_access.map_with_cache;
  Watches secret{.kind = GroupVersionKind("v1", "Secret")};
  secret.cluster = options.platform_cluster;
  secret.label_selector = options.secret_label_selector;
  secret.field_selector = std::string(secret_field_selector);
  secret.map_with_cache = [secrets, clusters = options.clusters](const Object& changed, const CacheReader& copies) {
    std::vector<ObjectKey> keys;
    for (const Belongs& one : secrets->naming(changed.key())) {
      for (ObjectKey& api : apis_of(one, clusters, copies)) keys.push_back(std::move(api));
    }
    return keys;
  };
  return {std::move(access), std::move(cluster), std::move(former_access), std::move(former_cluster),
          std::move(secret)};
}

}  // namespace pintle::service
