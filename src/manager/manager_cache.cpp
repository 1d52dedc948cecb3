// SPDX-License-Identifier: Apache-2.0
#include <pintle/manager/manager_cache.hpp>

#include "controller/clusters/cluster_handle.hpp"
#include "controller/sources/cache_search.hpp"

namespace pintle {

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
  if (informer == nullptr) return fail(not_declared(kind));
  if (Object object = informer->store().get(key)) return object;
  return fail(ErrorCode::not_found, informer->resource().to_string() + " \"" + key.name + "\" not found");
}

Result<std::vector<Object>> ManagerCache::list(const GroupVersionKind& kind, const CacheListOptions& options) const {
  std::vector<ObjectRange> parts;
  for (const ListSource& source : cluster_->sources_of(kind, options)) {
    if (source.informer == nullptr) return fail(not_declared(kind));
    auto found = search_cache(*source.informer, options);
    if (!found) return fail(std::move(found.error()));
    parts.push_back(std::move(*found));
  }
  return ObjectRange::joined(std::move(parts)).to_vector();
}

}  // namespace pintle
