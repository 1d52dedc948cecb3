// SPDX-License-Identifier: Apache-2.0
// CacheReader: read access to the caches of one controller, for map functions.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/object/object.hpp>

namespace pintle {

class InformerSet;
class ClusterHandle;

/// Reads the current state of the caches, which is at least as new as the change that is being mapped. Valid only
/// during the call of the map function that receives it. Thread-safe.
class PINTLE_EXPORT CacheReader {
 public:
  /// Returns the key of the object with this namespace and name, for the kind that the controller watches. If this kind
  /// is cluster-scoped, the key has no namespace.
  [[nodiscard]] ObjectKey key_from(std::string_view namespace_, std::string_view name) const;
  /// Returns the keys of all cached objects of the kind that the controller watches.
  [[nodiscard]] std::vector<ObjectKey> keys() const;
  /// Returns an object of any kind that the controller watches or owns. Returns a null object if no cache contains it,
  /// for example because the selectors of the watches exclude it. `cluster` is the name of a cluster; empty: the
  /// cluster of the controller.
  [[nodiscard]] Object get(const GroupVersionKind& kind, const ObjectKey& key, std::string_view cluster = {}) const;

 private:
  friend class ControllerSources;  // passes it to map functions
  using ClusterHandles = std::map<std::string, std::shared_ptr<ClusterHandle>, std::less<>>;
  CacheReader(const InformerSet& own, const std::string& own_cluster, const ClusterHandles& clusters)
      : own_(own), own_cluster_(own_cluster), clusters_(clusters) {}

  const InformerSet& own_;
  const std::string& own_cluster_;
  const ClusterHandles& clusters_;
};

}  // namespace pintle
