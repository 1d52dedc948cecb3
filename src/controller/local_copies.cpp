#include <pintle/controller/local_copies.hpp>

#include "pass.hpp"

namespace pintle {

ObjectKey LocalCopies::key_from(std::string_view namespace_, std::string_view name) const {
  return {own_.resource().namespaced ? std::string(namespace_) : std::string(), std::string(name)};
}

std::vector<ObjectKey> LocalCopies::keys() const {
  std::vector<ObjectKey> keys;
  for (const Object& object : own_.store().list()) keys.push_back(object.key());
  return keys;
}

Object LocalCopies::get(const GroupVersionKind& kind, const ObjectKey& key, std::string_view cluster) const {
  const auto site = sites_.find(cluster.empty() ? std::string_view(own_cluster_) : cluster);
  if (site == sites_.end()) return {};
  const Informer* informer = site->second->informer_of(kind, key);
  return informer == nullptr ? Object() : informer->store().get(key);
}

}  // namespace pintle
