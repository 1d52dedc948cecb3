// Framework: a kind to watch, and resource sets that do what its objects say.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/controller/controller.hpp>
#include <pintle/manager/manager.hpp>
#include <pintle/patterns/crud/resource_router.hpp>

namespace pintle::crud {

// "operatorkit.giantswarm.io/NAME".
[[nodiscard]] std::string finalizer_name(std::string_view name);

inline constexpr Duration default_resync_period = std::chrono::minutes(5);

struct Config {
  Required<std::string> name;  // of its controller and its finalizer; unique among the operators of a cluster
  Required<ResourceRouter> resource_router;
  Duration resync_period = default_resync_period;  // every object is looked at again after this time; 0: the default
  // Between two objects that are only looked at, at the start and by resyncs; what changes is looked at meanwhile.
  Duration rate_wait{};
  // Put on each object that exactly one resource set handles; taken off when that set is done with a deletion, and when
  // no set handles the object any more. While more than one set handles an object, it is neither put on nor taken off.
  // Without a finalizer, what is deleted while no operator runs is never heard of.
  bool finalizer = true;
  // Everything else a controller can be told: namespace, selectors, what it owns, workers, back-off. Set here are name,
  // kind, every, the functions, and, unless they are given, finalizer (finalizer_name of the name) and paused_by
  // ("operatorkit.giantswarm.io/paused"). The back-off is capped so that no wait is longer than resync_period.
  ControllerSpec controller{};
};

// Construction never fails: what is wrong is kept, and Manager::start() answers it. The object's finalizer is put on in
// a pass of its own. A failure is retried with back-off, and no later than one resync period after it. Thread-safe, but
// for boot().
class Framework {
 public:
  Framework(GroupVersionKind watch, Config config);
  // One of a described struct, whose definition is installed.
  template <Described T>
  [[nodiscard]] static Framework watching(Config config) {
    if (is_custom(T::type)) config.controller.crd = crd_of<T>();
    return Framework(T::type, std::move(config));
  }

  // Adds its controller to a manager, which then does the work; the framework may go. Once: later calls do nothing.
  void boot(Manager& manager);
  // The controller that boot() adds. The registry and the runtime outlive it.
  [[nodiscard]] ControllerSpec controller(MetricsRegistry& metrics, Runtime& runtime) const;

  // What one event comes to: delete_func for an object that is being deleted, else update_func.
  [[nodiscard]] Outcome process_event(const Object& object, Context& context) const;
  // Has the resource set of the object create and update what belongs to it; settled when there is no set for it.
  [[nodiscard]] Outcome update_func(const Object& object, Context& context) const;
  // Has it delete that. To be called again, with the next resync, when the pass was cancelled or the finalizer is kept.
  [[nodiscard]] Outcome delete_func(const Object& object, Context& context) const;

  // What is wrong with it, its router, sets and resources.
  [[nodiscard]] std::vector<Error> errors() const;

 private:
  [[nodiscard]] Outcome execute(const Object& object, Context& context,
                                const std::function<Result<void>(const ResourceSet&)>& process) const;

  std::shared_ptr<const Config> config_;
  bool booted_ = false;
};

}  // namespace pintle::crud
