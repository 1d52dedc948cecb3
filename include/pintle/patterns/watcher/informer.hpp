// Informers: where an InformerController hears of objects.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include <pintle/controller/clusters.hpp>
#include <pintle/controller/rbac_rule.hpp>
#include <pintle/controller/source.hpp>
#include <pintle/object/codec.hpp>
#include <pintle/object/crd.hpp>
#include <pintle/object/object.hpp>

namespace pintle::watcher {

struct InformerOptions {
  std::string cluster{home_cluster};            // one that ManagerOptions::clusters names
  std::string namespace_{};                     // only this one; default: that of the manager, or all
  std::vector<std::string> label_filters{};     // each as "team=a"; an object has to meet all
  std::vector<std::string> field_selectors{};   // the same, as "metadata.name=a"
  std::vector<Owns> owns{};                     // a change of one of these has its owner told as resynced
  Duration resync = std::chrono::seconds(30);   // everything is told again after this time; 0: never
  int workers = 10;                             // objects that are handled at once; those of one object are in order
  Duration timeout{};                           // of one pass over an object; 0: none
  std::string paused_by = "pintle.dev/paused";  // as of a Controller
  std::vector<RbacRule> needs{};                // rights of the handlers, beside their own kind
};

// Objects of a kind in a cluster, kept in a local copy: each that is there at the start is told of as created, and each
// that went while the watch was cut as deleted, with its last known state. A plain value, for add_informer.
struct KubernetesBasedInformer {
  explicit KubernetesBasedInformer(GroupVersionKind kind, InformerOptions with = {})
      : schema(std::move(kind)), options(std::move(with)) {}
  // Of a described struct, whose definition the manager installs.
  template <Described T>
  [[nodiscard]] static KubernetesBasedInformer of(InformerOptions with = {}) {
    KubernetesBasedInformer informer(T::type, std::move(with));
    if (is_custom(informer.schema)) informer.crd = crd_of<T>();
    return informer;
  }

  GroupVersionKind schema;
  InformerOptions options;
  std::optional<json::Value> crd{};
};

// Takes what an informer of one's own sees, and hands it to the handlers on the workers. Never waits. Thread-safe.
// Error: "object cannot be nil" for an object that is none; unavailable when more than 100,000 objects wait.
class EventHandler {
 public:
  virtual ~EventHandler() = default;
  virtual Result<void> added(const Object& object) = 0;
  virtual Result<void> updated(const Object& old, const Object& current) = 0;
  virtual Result<void> deleted(const Object& object) = 0;
};

// An informer of one's own, for objects that come from elsewhere than a watch of the cluster.
class Informer {
 public:
  virtual ~Informer() = default;
  // The kind of its objects.
  [[nodiscard]] virtual GroupVersionKind schema() const = 0;
  // Called once, before run(); what it hears of is told to the handler.
  virtual void add_event_handler(std::shared_ptr<EventHandler> handler) = 0;
  // Works until stop, on a thread of its own. When it fails it is logged, and called again after a minute.
  virtual Result<void> run(const std::stop_token& stop) = 0;
};

}  // namespace pintle::watcher
