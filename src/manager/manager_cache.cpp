// SPDX-License-Identifier: Apache-2.0
#include <pintle/manager/manager_cache.hpp>

#include "controller/clusters/cluster_handle.hpp"
#include "controller/sources/cache_search.hpp"

namespace pintle {
namespace {

Error not_filled(const ClusterHandle& cluster, const Informer& informer) {
  return make_error(ErrorCode::unavailable, "the cache of cluster " + cluster.name +
                                                " cannot be read: " + informer.sync_status() +
                                                "; repeat the read later, or read through Manager::client()");
}

// Returns null if no cache of this namespace is declared.
std::shared_ptr<const Informer> unfilled(const ClusterHandle& cluster, const GroupVersionKind& kind,
                                         std::string_view namespace_) {
  const auto [first, last] = cluster.informers.equal_range(kind);
  for (auto at = first; at != last; ++at) {
    auto informer = at->second->of_namespace(namespace_);
    if (informer != nullptr && !informer->is_readable()) return informer;
  }
  return nullptr;
}

}  // namespace

Error ManagerCache::not_declared(const GroupVersionKind& kind) const {
  const std::string name = kind.to_string();
  if (cluster_->informers.contains(kind)) {
    return make_error(ErrorCode::invalid, "the caches of cluster " + cluster_->name + " have only a part of " + name +
                                              ", because its watches have selectors or a namespace; repeat these in "
                                              "the options, or read through Manager::client()");
  }
  return make_error(ErrorCode::invalid,
                    "no controller watches " + name + " in cluster " + cluster_->name +
                        "; add the kind to .owns or .watches of a controller, or read through Manager::client()");
}

Result<Object> ManagerCache::get(const GroupVersionKind& kind, const ObjectKey& key) const {
  const auto informer = cluster_->informer_of(kind, key);
  if (informer == nullptr) {
    const auto waiting = unfilled(*cluster_, kind, key.namespace_);
    return fail(waiting == nullptr ? not_declared(kind) : not_filled(*cluster_, *waiting));
  }
  if (Object object = informer->store().get(key)) return object;
  return fail(ErrorCode::not_found, informer->resource().to_string() + " \"" + key.name + "\" not found");
}

Result<std::vector<Object>> ManagerCache::list(const GroupVersionKind& kind, const CacheListOptions& options) const {
  std::vector<ObjectRange> parts;
  for (const ListSource& source : cluster_->sources_of(kind, options)) {
    if (source.informer == nullptr) {
      const bool is_filled = source.indexed == nullptr || source.indexed->is_readable();
      return fail(is_filled ? not_declared(kind) : not_filled(*cluster_, *source.indexed));
    }
    auto found = search_cache(*source.informer, options);
    if (!found) return fail(std::move(found.error()));
    parts.push_back(std::move(*found));
  }
  return ObjectRange::joined(std::move(parts)).to_vector();
}

}  // namespace pintle
