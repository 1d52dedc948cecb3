// SPDX-License-Identifier: Apache-2.0
#include <pintle/controller/cache_reader.hpp>

#include "reconcile_state.hpp"

namespace pintle {

ObjectKey CacheReader::key_from(std::string_view namespace_, std::string_view name) const {
  return {own_.resource().namespaced ? std::string(namespace_) : std::string(), std::string(name)};
}

std::vector<ObjectKey> CacheReader::keys() const {
  std::vector<ObjectKey> keys;
  const ObjectRange all = own_.range();
  for (const Object& object : all) keys.push_back(object.key());
  return keys;
}

Object CacheReader::get(const GroupVersionKind& kind, const ObjectKey& key, std::string_view cluster) const {
  const auto found = clusters_.find(cluster.empty() ? std::string_view(own_cluster_) : cluster);
  if (found == clusters_.end()) return {};
  const auto informer = found->second->informer_of(kind, key);
  return informer == nullptr ? Object() : informer->store().get(key);
}

}  // namespace pintle
