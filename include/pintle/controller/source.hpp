// SPDX-License-Identifier: Apache-2.0
// Sources: causes of reconciles other than changes of the object itself.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/base/mutex.hpp>
#include <pintle/base/required.hpp>
#include <pintle/base/result.hpp>
#include <pintle/controller/cache_reader.hpp>
#include <pintle/controller/predicate.hpp>
#include <pintle/object/codec.hpp>
#include <pintle/object/object.hpp>

namespace pintle {

enum class OwnerMatch {
  controller,  ///< the one owner reference with controller: true
  any,         ///< every owner reference to the watched kind
};

/// Decides whether an object of the controller needs a kind of children. It must depend on the object only.
using ActivationCondition = std::function<bool(const Object&)>;

/// Adapts a condition of a described struct. It is false for an object that cannot be decoded.
template <Described T>
[[nodiscard]] ActivationCondition typed_condition(std::function<bool(const T&)> condition) {
  return [condition = std::move(condition)](const Object& object) {
    const auto decoded = decode<T>(object);
    return decoded && condition(*decoded);
  };
}

struct OwnsOptions {
  OwnerMatch match = OwnerMatch::controller;
  std::string label_selector{};
  Predicate predicate{};
  bool required = false;   ///< the start fails if the kind cannot be watched
  bool if_served = false;  ///< the server need not serve the kind; /readyz does not depend on it
  /// Whether an object has children of this kind, see Owns. Default: each object may have them.
  ActivationCondition active_when{};
  std::string field_selector{};
  bool metadata_only = false;  ///< the cache has only the metadata of the objects, see Owns
};

/// A kind whose objects enqueue their owners when they change. `required` and `if_served` define how a kind that cannot
/// be watched affects the operator; the page "Operating an operator" describes the states of a cache. By default the
/// start does not fail if the server does not serve the kind, or if it still forbids watching the kind after
/// ManagerOptions::sync_timeout. The workers then run without the cache of the kind, /readyz is 503 and names it, and
/// the cache is filled as soon as that is possible. Meanwhile the cache of a kind that is not served is empty; a read
/// of a kind that is forbidden goes to the server.
///
/// With `active_when`, the kind is watched while the condition is true for at least one object of the controller (or
/// another controller watches the kind with the same selector), and for one minute after that. At all other times its
/// cache is in the state `inactive`, and reads go to the server. If the condition throws, it counts as true.
///
/// A kind is active for an object if `active_when` is true for the object and, with `if_served`, the server serves the
/// kind (Context::is_active()). Children of an inactive kind in a ChildSet are not applied, and those that exist are
/// deleted. If an object was reconciled while the server did not serve the kind, and the server then begins to serve
/// it, all objects for which the condition is true are reconciled (ReconcileCause::Source::activation).
///
/// With `metadata_only`, the server sends only the metadata of the objects, and the rest reads as missing. A reconcile
/// that applies other fields to such an object sends each apply, because it cannot compare them; disputes about these
/// fields are not recognised. If another declaration watches the kind whole, there are two caches; a controller with
/// both reads the whole objects.
///   .owns = {ConfigMap::type, Owns{Secret::type, {.match = OwnerMatch::any}}}
///   .owns = {Owns{monitor, {.if_served = true, .active_when = [](const Object& o) { return o["/spec/monitored"] ==
///            true; }}}}
struct Owns {
  Owns(Type type, OwnsOptions with = {})
      : kind(type), options(std::move(with)) {}        // NOLINT(google-explicit-constructor)
  Owns(GroupVersionKind named, OwnsOptions with = {})  // NOLINT(google-explicit-constructor)
      : kind(std::move(named)), options(std::move(with)) {}

  GroupVersionKind kind;
  OwnsOptions options;
};

/// Maps an object to keys. Runs on the thread of the dispatcher and must not block. An exception is logged and counts
/// as a result without keys.
using MapFunction = std::function<std::vector<ObjectKey>(const Object&)>;

/// A map function that also reads the caches of the controller.
using KeyMapWithCache = std::function<std::vector<ObjectKey>(const Object&, const CacheReader&)>;

/// A kind whose objects enqueue keys of the controller when they change. Exactly one of `map`, `map_with_cache` and
/// `references` must be set, unless `only_read` is set.
struct Watches {
  Required<GroupVersionKind> kind;
  MapFunction map{};  ///< maps a changed object to keys of the controller
  KeyMapWithCache map_with_cache{};
  /// Maps an object of the controller to the keys of the objects of `kind` to which it refers. A change of one of these
  /// objects enqueues all objects of the controller that refer to it.
  MapFunction references{};
  std::string cluster{};  ///< default: the cluster of the controller
  /// The namespaces to watch. Default: those that the controller watches or, if the objects are in another cluster,
  /// those of that cluster.
  std::vector<std::string> namespaces{};
  std::string label_selector{};
  std::string field_selector{};
  Predicate predicate{};
  std::optional<json::Value> crd{};  ///< installed like the CRD of the controller's kind
  bool required = false;             ///< the start fails if the kind cannot be watched; default: see Owns
  bool if_served = false;            ///< the server need not serve the kind; /readyz does not depend on it
  bool metadata_only = false;        ///< the cache has only the metadata of the objects, see Owns
  bool only_read = false;            ///< reconciles read the objects; their changes enqueue no keys
};

/// Adapts a map function of a described struct: Watches{Secret::type, typed_map<Secret>([](const Secret& s) { … })}. An
/// object that cannot be decoded maps to no keys.
template <Described T>
[[nodiscard]] MapFunction typed_map(std::function<std::vector<ObjectKey>(const T&)> map) {
  return [map = std::move(map)](const Object& object) -> std::vector<ObjectKey> {
    const auto decoded = decode<T>(object);
    if (!decoded) return {};
    return map(*decoded);
  };
}

/// Enqueues keys from code of the program. Keys that are sent before the controller runs are stored, up to `capacity`
/// keys. Thread-safe: any thread may send.
class PINTLE_EXPORT ChannelSource {
 public:
  explicit ChannelSource(Executor& executor, std::size_t capacity = 1000);
  ~ChannelSource();
  ChannelSource(const ChannelSource&) = delete;
  ChannelSource& operator=(const ChannelSource&) = delete;

  /// `note` becomes part of the cause. Returns false if the channel or the queue is full.
  bool send(ObjectKey key, std::string note = {});

 private:
  friend class ControllerSources;
  using Sink = std::function<bool(const ObjectKey& key, std::string note)>;
  void open(Sink sink);
  void close();

  const std::size_t capacity_;
  Mutex mutex_;
  Sink sink_ PINTLE_GUARDED_BY(mutex_);
  std::vector<std::pair<ObjectKey, std::string>> kept_ PINTLE_GUARDED_BY(mutex_);
};

/// A periodic call that checks an external system, on its own thread.
struct Poll {
  std::string name{};
  Duration interval = std::chrono::minutes(1);  ///< time from the end of one call to the next
  /// Returns the keys to reconcile. An error or an exception is logged, and the next call follows at the usual time. It
  /// must return soon after a stop is requested: the stop of the manager waits for it as for a reconcile.
  std::function<Result<std::vector<ObjectKey>>(const std::stop_token&)> poll{};
};

}  // namespace pintle
