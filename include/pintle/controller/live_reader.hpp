// SPDX-License-Identifier: Apache-2.0
// LiveReader: reads of one reconcile from the server, past the cache.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/client/client.hpp>
#include <pintle/object/codec.hpp>
#include <pintle/object/object.hpp>

namespace pintle {

class ClusterHandle;

namespace internal {

template <Described T, class Objects>
[[nodiscard]] Result<std::vector<T>> decode_all(const Result<Objects>& objects) {
  if (!objects) return fail(objects.error());
  std::vector<T> decoded;
  decoded.reserve(objects->size());
  for (const Object& object : *objects) {
    auto one = decode<T>(object);
    if (!one) return fail(std::move(one.error()));
    decoded.push_back(std::move(*one));
  }
  return decoded;
}

template <Described T, class Found>
[[nodiscard]] Result<std::optional<T>> decode_found(const Result<Found>& object) {
  if (!object) return fail(object.error());
  if (!*object) return std::optional<T>();
  auto decoded = decode<T>(**object);
  if (!decoded) return fail(std::move(decoded.error()));
  return std::optional<T>(std::move(*decoded));
}

}  // namespace internal

/// Each call is a request. The permission for it must be in Controller::rbac_rules, unless the controller also watches
/// or owns the kind. Valid during one reconcile; only the thread of the reconcile may use it.
class PINTLE_EXPORT LiveReader {
 public:
  /// Error: not_found.
  Result<Object> get(const GroupVersionKind& kind, const ObjectKey& key) const;
  template <Described T>
  Result<T> get(const ObjectKey& key) const {
    auto object = get(T::type, key);
    if (!object) return fail(std::move(object.error()));
    return decode<T>(*object);
  }

  /// As get(), but a missing object is an empty optional and not an error.
  Result<std::optional<Object>> find(const GroupVersionKind& kind, const ObjectKey& key) const;
  template <Described T>
  Result<std::optional<T>> find(const ObjectKey& key) const {
    return internal::decode_found<T>(find(T::type, key));
  }

  /// Returns all pages of a list. ListOptions::limit is the size of a page. If the kind is not cached, a list without a
  /// resource_version reflects the last write of the controller to that kind.
  Result<std::vector<Object>> list(const GroupVersionKind& kind, const ListOptions& options = {}) const;
  template <Described T>
  Result<std::vector<T>> list(const ListOptions& options = {}) const {
    return internal::decode_all<T>(list(T::type, options));
  }

  /// As list(), with the version of the list.
  Result<ObjectList> list_with_version(const GroupVersionKind& kind, ListOptions options) const;

 private:
  friend class ClusterContext;  // live()
  LiveReader(std::shared_ptr<ClusterHandle> cluster, std::stop_token stop)
      : cluster_(std::move(cluster)), stop_(std::move(stop)) {}

  [[nodiscard]] Result<ObjectList> all_pages(const GroupVersionKind& kind, ListOptions options) const;

  std::shared_ptr<ClusterHandle> cluster_;
  std::stop_token stop_;
};

}  // namespace pintle
