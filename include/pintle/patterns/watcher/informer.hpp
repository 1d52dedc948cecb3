// SPDX-License-Identifier: Apache-2.0
// Informers: the sources from which an InformerController receives objects.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/controller/clusters.hpp>
#include <pintle/controller/rbac_rule.hpp>
#include <pintle/controller/source.hpp>
#include <pintle/object/codec.hpp>
#include <pintle/object/conversion.hpp>
#include <pintle/object/object.hpp>
#include <pintle/object/schema/crd.hpp>
#include <pintle/object/versions.hpp>

namespace pintle::watcher {

struct KubernetesInformerOptions {
  std::string cluster{home_cluster};           ///< one of ManagerOptions::clusters
  std::vector<std::string> namespaces{};       ///< only these; default: those of the manager, or all
  std::vector<std::string> label_filters{};    ///< each as "team=a"; an object must match all of them
  std::vector<std::string> field_selectors{};  ///< the same, as "metadata.name=a"
  /// A change of an owned object is delivered to the handlers of its owner as `resynced`. If a handler waits for a call
  /// that it requested (requeue_after), this call is made at once instead. If it waits for the retry of a failure, it
  /// receives nothing before that retry.
  std::vector<Owns> owns{};
  Duration resync = std::chrono::seconds(30);  ///< each object is delivered again after this time; 0: never
  int workers = 10;                            ///< objects handled concurrently; events of one object stay in order
  Duration timeout{};                          ///< of one reconcile; 0: none
  std::string pause_annotation = "pintle.dev/paused";  ///< as in Controller
  std::vector<RbacRule> rbac_rules{};                  ///< RBAC rules of handlers, besides those of the watched kind
};

/// Watches and caches the objects of a kind in a cluster. Each object that exists at the start is delivered as created.
/// Each object that disappeared while the watch was interrupted is delivered as deleted, with its last known state. A
/// value type, for add_informer().
struct KubernetesBasedInformer {
  explicit KubernetesBasedInformer(GroupVersionKind kind, KubernetesInformerOptions with = {})
      : schema(std::move(kind)), options(std::move(with)) {}
  /// Creates an informer for a described struct, whose CRD the manager installs.
  template <Described T>
  [[nodiscard]] static KubernetesBasedInformer of(KubernetesInformerOptions with = {}) {
    KubernetesBasedInformer informer(T::type, std::move(with));
    if (is_custom_kind(informer.schema)) informer.crd = crd_of<T>();
    informer.conversion = conversion_of<T>();
    return informer;
  }

  GroupVersionKind schema;
  KubernetesInformerOptions options;
  std::optional<json::Value> crd{};
  std::optional<AnyConversion> conversion{};
};

/// Receives the events of a custom informer, and delivers them to the handlers on the workers. Never blocks.
/// Thread-safe. Errors: "object cannot be nil", for a null object; `unavailable`, if more than 100,000 events arrive
/// while the controller does not run.
class PINTLE_EXPORT EventHandler {
 public:
  virtual ~EventHandler() = default;
  virtual Result<void> added(const Object& object) = 0;
  virtual Result<void> updated(const Object& old, const Object& current) = 0;
  virtual Result<void> deleted(const Object& object) = 0;
};

/// A custom informer, for objects that do not come from a watch of the cluster.
class PINTLE_EXPORT Informer {
 public:
  virtual ~Informer() = default;
  /// The kind of its objects.
  [[nodiscard]] virtual GroupVersionKind schema() const = 0;
  /// Called once, before run(). The informer must pass its events to the handler.
  virtual void add_event_handler(std::shared_ptr<EventHandler> handler) = 0;
  /// Runs until a stop is requested, on its own thread. An error is logged, and run() is called again after a minute.
  virtual Result<void> run(const std::stop_token& stop) = 0;
};

}  // namespace pintle::watcher
