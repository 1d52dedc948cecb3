// SPDX-License-Identifier: Apache-2.0
// Framework: a watched kind and the resource sets that reconcile its objects.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/controller/controller.hpp>
#include <pintle/manager/manager.hpp>
#include <pintle/patterns/crud/resource_router.hpp>

namespace pintle::crud {

/// Returns "operatorkit.giantswarm.io/NAME" for the name NAME.
[[nodiscard]] PINTLE_EXPORT std::string finalizer_name(std::string_view name);

inline constexpr Duration default_resync_period = std::chrono::minutes(5);

struct FrameworkOptions {
  Required<std::string> name;  ///< of the controller and of its finalizer; unique among the operators of a cluster
  Required<ResourceRouter> resource_router;
  Duration resync_period = default_resync_period;  ///< each object is reconciled again after this time; 0: the default
  /// Minimum time between two objects that are reconciled only because of the initial list or a resync. An object that
  /// changes does not wait.
  Duration rate_wait{};
  /// Whether to add a finalizer to each object that exactly one resource set handles. The finalizer is removed when
  /// this set has completed the deletion, and when no set handles the object any more. While more than one set handles
  /// the object, the finalizer is neither added nor removed. Without a finalizer, a deletion that happens while no
  /// operator runs is never observed.
  bool finalizer = true;
  /// All other options of the controller: namespace, selectors, owned kinds, workers, back-off. The framework
  /// overwrites name, watch, reconcile, gone, on_change, resync_period and on_watch_end. An empty finalizer becomes
  /// finalizer_name() of the name; an empty pause_annotation becomes "operatorkit.giantswarm.io/paused". The back-off
  /// is capped: no delay is longer than resync_period.
  AnyController controller{};
};

/// The constructor never fails; Manager::start() returns the errors of the declaration. The reconcile that adds the
/// finalizer does nothing else. A failure is retried with back-off, at the latest after one resync period. Thread-safe,
/// except boot().
class PINTLE_EXPORT Framework {
 public:
  Framework(GroupVersionKind watch, FrameworkOptions config);
  /// Creates a framework for a described struct, whose CRD the manager installs.
  template <Described T>
  [[nodiscard]] static Framework watching(FrameworkOptions config) {
    if (is_custom_kind(T::type)) config.controller.crd = crd_of<T>();
    config.controller.conversion = conversion_of<T>();
    return Framework(T::type, std::move(config));
  }

  /// Adds the controller to a manager, which then runs it; the framework can be destroyed afterwards. Only the first
  /// call has an effect.
  void boot(Manager& manager);
  /// The controller that boot() adds. `metrics` and `executor` must outlive it.
  [[nodiscard]] AnyController controller(MetricsRegistry& metrics, Executor& executor) const;

  /// Processes one event of an object: calls delete_func() if the object is being deleted, otherwise update_func().
  [[nodiscard]] Outcome process_event(const Object& object, Context& context) const;
  /// Runs the resource set that handles the object: each resource creates and updates what belongs to the object.
  /// Returns `done` if no set handles it.
  [[nodiscard]] Outcome update_func(const Object& object, Context& context) const;
  /// Runs the resource set that handles the object: each resource deletes what belongs to the object. Requests another
  /// call after one resync period if the reconcile was cancelled or the finalizer is kept (ReconcileFlags).
  [[nodiscard]] Outcome delete_func(const Object& object, Context& context) const;

  /// Validation errors of the framework, its router, its sets and its resources.
  [[nodiscard]] std::vector<Error> validate() const;

 private:
  [[nodiscard]] Outcome execute(const Object& object, Context& context,
                                const std::function<Result<void>(const ResourceSet&)>& process) const;

  std::shared_ptr<const FrameworkOptions> config_;
  bool booted_ = false;
};

}  // namespace pintle::crud
