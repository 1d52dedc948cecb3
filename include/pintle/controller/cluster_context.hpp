// ClusterContext: what a reconcile reads and writes in one cluster.
#pragma once

#include <concepts>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pintle/client/client.hpp>
#include <pintle/object/codec.hpp>
#include <pintle/object/object.hpp>

namespace pintle {

struct AppliedChild;
class Pass;  // what the controller fills in
class Site;  // a cluster as one controller works with it

struct ApplyOptions {
  bool adopt = false;  // take an object over that exists and is not controlled by the owner the intent names
};

// A handle; valid as long as the pass, and used by its thread alone. Every call that waits ends with `cancelled` once
// stop is requested.
class ClusterContext {
 public:
  ClusterContext(Pass& pass, std::shared_ptr<Site> site) : pass_(pass), site_(std::move(site)) {}

  // Makes an object be as the intent says, by server-side apply as field manager "<manager>/<controller>", and answers
  // what the server holds. An intent with a controller reference is a child: fields other managers own are taken over,
  // and an object that exists without that reference is refused (not_ours, naming who manages it) unless adopt is set.
  // Nothing is sent when the intent equals the last one sent for it and the local copy of the child still has, in the
  // fields that the intent owns, what the server returned for it. Defaults, and what others own, are no difference; of
  // a custom resource each list counts as atomic. The check of the controller is made with the server. A reconcile that
  // was refused is woken when the object in its way is deleted or changes its controller, if its kind is watched.
  template <Described T>
  Result<T> apply(const T& intent, ApplyOptions options = {}) {
    auto applied = apply_value(encode_for_apply(intent), options);
    if (!applied) return fail(std::move(applied.error()));
    return decode<T>(*applied);
  }
  Result<Object> apply(const json::Value& intent, ApplyOptions options = {}) { return apply_value(intent, options); }

  // A merge patch of an object; with a json::Patch, that patch.
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

  // Makes a new object, as the same field manager. One with metadata.generateName is named by the server; list() then
  // shows it, so that no second one is made. When the answer is lost it may have been made all the same: the pass
  // should fail, and a list() in the next one asks the server. Error: already_exists.
  Result<Object> create(const json::Value& object);
  template <Described T>
  Result<T> create(const T& object) {
    auto created = create(encode(object));
    if (!created) return fail(std::move(created.error()));
    return decode<T>(*created);
  }

  // From the local copy when the controller watches the kind or owns it, else from the server. The copy has what this
  // operator has written. Where the kind is watched with a selector, an object that the copy does not hold is read from
  // the server. Error: not_found.
  Result<Object> get(const GroupVersionKind& kind, const ObjectKey& key);
  template <Described T>
  Result<T> get(const ObjectKey& key) {
    auto object = get(T::type, key);
    if (!object) return fail(std::move(object.error()));
    return decode<T>(*object);
  }

  // All objects that the namespace and the selectors of the options choose; from the local copy, without a request and
  // in order of their keys, when the controller watches the kind or owns it, and then of those it watches. The copy has
  // what this operator has written and lacks what it has removed. From the server when it does not, and when the
  // options name a resourceVersion. Where the kind is watched with selectors alone, the copy serves a list that has
  // each of them too, perhaps narrower ones; any other list is a request.
  Result<std::vector<Object>> list(const GroupVersionKind& kind, const ListOptions& options = {});
  template <Described T>
  Result<std::vector<T>> list(const ListOptions& options = {}) {
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

  // Deletes an object; one that is not there is success.
  Result<void> remove(const GroupVersionKind& kind, const ObjectKey& key);
  Result<void> remove(const Object& object) { return remove(object.group_version_kind(), object.key()); }
  template <Described T>
  Result<void> remove(const T& object) {
    return remove(T::type, object.metadata.key());
  }

  // The cluster that a kubeconfig in a Secret of this one leads to: its data under `data_key`, which may name no files.
  // It is reached at the URL `server` instead of the one in the kubeconfig, unless that is empty. The client is kept
  // between reconciles until the Secret has another version, or the URL is another. Without a `holder`, the manager
  // keeps ManagerOptions::max_secret_clusters of them, those used last. A client with a `holder`, any text that is
  // unique in the manager, is kept beyond that bound, until forget_clusters_of(holder) or until the holder asks for
  // another Secret. Nothing of that cluster is cached. Errors: those of get() for the Secret; invalid, for its content
  // or the URL.
  Result<ClusterContext> cluster_of(const ObjectKey& secret, std::string_view data_key = "kubeconfig",
                                    std::string_view server = {}, std::string_view holder = {});

  // Drops the clients of a Secret that is not used any more, or the one that a holder keeps.
  void forget_cluster_of(const ObjectKey& secret);
  void forget_clusters_of(std::string_view holder);

  // The client of the cluster, for whatever is not above.
  [[nodiscard]] Client& client() const noexcept;

 protected:
  Pass& pass_;
  std::shared_ptr<Site> site_;

 private:
  friend class ChildrenApplier;

  Result<AppliedChild> apply_child(const json::Value& intent, ApplyOptions options);
  // The name of its cluster, "" when that is the controller's own.
  [[nodiscard]] std::string elsewhere() const;
  Result<Object> apply_value(const json::Value& intent, ApplyOptions options);
  Result<Object> patch_value(const GroupVersionKind& kind, const ObjectKey& key, const json::Value& merge_patch);
  Result<Object> json_patch(const GroupVersionKind& kind, const ObjectKey& key, const json::Patch& patch);
};

}  // namespace pintle
