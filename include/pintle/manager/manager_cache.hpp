// SPDX-License-Identifier: Apache-2.0
// ManagerCache: reads the caches of a manager from the code of the host program.
#pragma once

#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/cache/cache_list_options.hpp>
#include <pintle/client/client.hpp>
#include <pintle/object/codec.hpp>
#include <pintle/object/object.hpp>

namespace pintle {

class ClusterHandle;

/// Reads objects of the kinds that the controllers of a manager watch or own, without requests. A kind that no
/// controller watches is an error (invalid) that names the declaration to add. Thread-safe. Must not be used after
/// Manager::stop() was called: first end the threads that use it, then call stop().
class PINTLE_EXPORT ManagerCache {
 public:
  /// Errors: not_found, if the cache does not contain the object; unavailable, if the cache is not filled, with the
  /// reason, for example a missing permission.
  [[nodiscard]] Result<Object> get(const GroupVersionKind& kind, const ObjectKey& key) const;
  template <Described T>
  [[nodiscard]] Result<T> get(const ObjectKey& key) const {
    auto object = get(T::type, key);
    if (!object) return fail(std::move(object.error()));
    return decode<T>(*object);
  }

  /// Returns the objects that match the namespace and the selectors of the options, ordered by key. Error: invalid, if
  /// the kind is only watched with a selector or in a namespace, and the list could contain further objects; also for
  /// an index that no controller declares. Error: unavailable, as for get().
  [[nodiscard]] Result<std::vector<Object>> list(const GroupVersionKind& kind,
                                                 const CacheListOptions& options = {}) const;
  template <Described T>
  [[nodiscard]] Result<std::vector<T>> list(const CacheListOptions& options = {}) const {
    auto objects = list(T::type, options);
    if (!objects) return fail(std::move(objects.error()));
    std::vector<T> decoded;
    decoded.reserve(objects->size());
    for (const Object& object : *objects) {
      auto one = decode<T>(object);
      if (!one) return fail(std::move(one.error()));
      decoded.push_back(std::move(*one));
    }
    return decoded;
  }

 private:
  friend class Manager;  // cache()
  explicit ManagerCache(std::shared_ptr<const ClusterHandle> cluster) : cluster_(std::move(cluster)) {}

  [[nodiscard]] Error not_declared(const GroupVersionKind& kind) const;

  std::shared_ptr<const ClusterHandle> cluster_;
};

}  // namespace pintle
