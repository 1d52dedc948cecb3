// SPDX-License-Identifier: Apache-2.0
// ClusterContext: reads and writes of one reconcile in one cluster.
#pragma once

#include <concepts>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/cache/cache_list_options.hpp>
#include <pintle/cache/object_range.hpp>
#include <pintle/client/client.hpp>
#include <pintle/controller/live_reader.hpp>
#include <pintle/object/codec.hpp>
#include <pintle/object/object.hpp>

namespace pintle {

struct AppliedChild;
class ReconcileState;  ///< internal state of one reconcile
class ClusterHandle;   ///< one cluster as one controller uses it

struct ApplyOptions {
  bool adopt = false;  ///< take over an existing object that does not have the controller reference of the intent
};

/// A handle that is valid during one reconcile. Only the thread of the reconcile may use it. Each call that blocks
/// returns `cancelled` once a stop is requested.
class PINTLE_EXPORT ClusterContext {
 public:
  /// Applies an intent by server-side apply with the field manager "<manager>/<controller>" and returns the object as
  /// the server stores it. An intent with a controller reference is a child. The apply of a child takes over fields
  /// that other managers own. If the object exists without that controller reference, the apply is refused unless
  /// `adopt` is set (error: not_owned; the message names the controller or the managers of the object). The error is
  /// unavailable instead if the existing object disappears soon: it is being deleted, or its controller was an earlier
  /// object with the name of the controller in the intent. This check reads the server, unless the cache contains the
  /// object with that reference. After a refusal the reconcile runs again when the existing object is deleted or its
  /// controller changes, provided that the controller `owns` or `watches` the kind.
  ///
  /// Error: invalid and terminal, if the controller owns the kind with OwnsOptions::active_when, and the condition is
  /// false for the reconciled object.
  ///
  /// No request is sent if the intent equals the last one that was sent for the object, and the cached object still has
  /// the values that the server returned for the fields of the intent. Server defaults and fields of other managers are
  /// not compared. Each list of a custom resource is compared as a whole.
  template <Described T>
  Result<T> apply(const T& intent, ApplyOptions options = {}) {
    auto applied = apply_value(encode_for_apply(intent), options);
    if (!applied) return fail(std::move(applied.error()));
    return decode<T>(*applied);
  }
  Result<Object> apply(const json::Value& intent, ApplyOptions options = {}) { return apply_value(intent, options); }

  /// Sends a JSON merge patch; the overload with a json::Patch sends a JSON patch.
  Result<Object> patch(const Object& object, const json::Value& merge_patch);
  template <std::same_as<json::Patch> P>
  Result<Object> patch(const Object& object, const P& patch) {
    return json_patch(object.group_version_kind(), object.key(), patch);
  }
  template <Described T>
  Result<T> patch(const T& object, const json::Value& merge_patch) {
    auto patched = patch_value(T::type, object.metadata.key(), merge_patch);
    if (!patched) return fail(std::move(patched.error()));
    return decode<T>(*patched);
  }

  /// Creates an object with the field manager of apply(). If metadata.generateName is set, the server chooses the name.
  /// The result of list() contains the new object at once, also for a kind that is not cached, so a reconcile that
  /// lists before it creates does not create a second object. If the response is lost, the object may nevertheless
  /// exist. The reconcile function should then return the error: in the next reconcile, list() reads from the server.
  /// Error: already_exists.
  Result<Object> create(const json::Value& object);
  template <Described T>
  Result<T> create(const T& object) {
    auto created = create(encode(object));
    if (!created) return fail(std::move(created.error()));
    return decode<T>(*created);
  }

  /// Reads from the cache. The cache contains all writes that controllers of this process with the same Leadership have
  /// made in this cluster. If the kind is watched with a selector or in another namespace, an object that is not in the
  /// cache is read from the server. Errors: not_found; invalid and terminal, if the controller neither watches nor owns
  /// the kind in this cluster: add it to .owns or .watches, or use live(). In a cluster without caches (cluster_of(),
  /// reconcile_once(), Controller::get_object), every read is a request.
  Result<Object> get(const GroupVersionKind& kind, const ObjectKey& key);
  template <Described T>
  Result<T> get(const ObjectKey& key) {
    auto object = get(T::type, key);
    if (!object) return fail(std::move(object.error()));
    return decode<T>(*object);
  }

  /// As get(), but a missing object is an empty optional and not an error.
  Result<std::optional<Object>> find(const GroupVersionKind& kind, const ObjectKey& key);
  template <Described T>
  Result<std::optional<T>> find(const ObjectKey& key) {
    return internal::decode_found<T>(find(T::type, key));
  }

  /// Returns the objects that the options select, ordered by key. Reads from the cache like get(), and has the same
  /// errors. The cache contains only objects that the controller watches. It already shows the writes and deletions
  /// that get() describes. If every watch of the kind has a selector, a list is read from the cache only if its
  /// selectors imply those of one of these watches: each requirement of the watch, or a narrower one on the same label,
  /// must be in the list. Any other list is read from the server.
  ///
  /// A list by an index reads only the objects that it returns: ctx.list<Pod>({.index = {"node", "n1"}}), or
  /// {.index = by_owner(uid)}. If its watch has a selector, the list contains only objects that this selector selects;
  /// it is not completed by a read from the server. Error: invalid and terminal, if the kind has no index of this name;
  /// add it to Controller::indexes.
  Result<std::vector<Object>> list(const GroupVersionKind& kind, const CacheListOptions& options = {});
  template <Described T>
  Result<std::vector<T>> list(const CacheListOptions& options = {}) {
    return internal::decode_all<T>(range(T::type, options));
  }
  /// As list(), without a vector of handles. For lists of many objects of which the reconcile needs a few.
  Result<ObjectRange> range(const GroupVersionKind& kind, const CacheListOptions& options = {});
  /// Returns the selected objects whose controller is the reconciled object, by an index of the cache. Without a
  /// namespace in the options, only the namespace of the reconciled object is listed; for an object without a
  /// namespace, all namespaces. If the only watch of the kind has a selector and the options have none, only children
  /// that the selector of the watch selects are returned.
  Result<std::vector<Object>> list_owned(const GroupVersionKind& kind, const CacheListOptions& options = {});
  template <Described T>
  Result<std::vector<T>> list_owned(const CacheListOptions& options = {}) {
    return internal::decode_all<T>(owned_range(T::type, options));
  }

  /// Reads from the server, past the cache.
  [[nodiscard]] LiveReader live() const;

  /// Deletes an object. A missing object is success.
  Result<void> remove(const GroupVersionKind& kind, const ObjectKey& key);
  Result<void> remove(const Object& object) { return remove(object.group_version_kind(), object.key()); }
  template <Described T>
  Result<void> remove(const T& object) {
    return remove(T::type, object.metadata.key());
  }

  /// Returns the context of the cluster that a kubeconfig in a Secret of this cluster describes. The kubeconfig is the
  /// value of `data_key` in the data of the Secret and must not refer to files. If `server` is not empty, this URL
  /// replaces the server URL of the kubeconfig. Nothing of that cluster is cached.
  ///
  /// The client is kept between reconciles until the Secret has another version or `server` is another URL. The manager
  /// keeps at most ManagerOptions::max_secret_clusters clients without a `holder`: those that were used last. A
  /// `holder` is any text that is unique in the manager. A client with a holder is kept in addition to these, until
  /// release_clusters_of_holder(holder) is called or until the holder requests the client of another Secret.
  ///
  /// The Secret is read from the cache or, if the controller neither owns nor watches Secrets, from the server. Errors:
  /// not_found and errors of the client, for the Secret; invalid, for its content or for `server`.
  Result<ClusterContext> cluster_of(const ObjectKey& secret, std::string_view data_key = "kubeconfig",
                                    std::string_view server = {}, std::string_view holder = {});

  /// Drops all clients that were created from this Secret, even those with a holder. Call it when the Secret is no
  /// longer used.
  void release_cluster_from_secret(const ObjectKey& secret);
  /// Drops the client that a holder keeps, unless another holder keeps it too.
  void release_clusters_of_holder(std::string_view holder);

  /// The client of the cluster, for requests that this class has no function for.
  [[nodiscard]] Client& client() const noexcept;

 protected:
  ClusterContext(ReconcileState& state, std::shared_ptr<ClusterHandle> cluster)
      : state_(state), cluster_(std::move(cluster)) {}

  ReconcileState& state_;
  std::shared_ptr<ClusterHandle> cluster_;

 private:
  friend class ChildrenApplier;
  friend class ReconcileState;

  Result<ObjectRange> owned_range(const GroupVersionKind& kind, CacheListOptions options);
  // Returns an error if the cluster has caches and none of this kind.
  [[nodiscard]] Result<void> check_declared(const GroupVersionKind& kind) const;
  // Returns an error if a condition of the controller forbids children of this kind.
  [[nodiscard]] Result<void> check_wanted(const json::Value& intent) const;
  // As get() and range(), but reads the server if the kind is not declared. If `owner` is set, only
  // objects of this owner are returned.
  Result<Object> get_anywhere(const GroupVersionKind& kind, const ObjectKey& key);
  Result<ObjectRange> list_anywhere(const GroupVersionKind& kind, const CacheListOptions& options,
                                    const IndexQuery& owner = {});
  Result<AppliedChild> apply_child(const json::Value& intent, ApplyOptions options);
  // The name of the cluster; empty if it is the cluster of the controller.
  [[nodiscard]] std::string elsewhere() const;
  Result<Object> apply_value(const json::Value& intent, ApplyOptions options);
  Result<Object> patch_value(const GroupVersionKind& kind, const ObjectKey& key, const json::Value& merge_patch);
  Result<Object> json_patch(const GroupVersionKind& kind, const ObjectKey& key, const json::Patch& patch);
};

}  // namespace pintle
