// What a pass of the pattern costs beside one of the bare controller: one object that asks to be looked at again, and
// nothing to do, simulated.
#include <pintle/patterns/watcher.hpp>

#include <functional>
#include <memory>

#include <benchmark/benchmark.h>

#include <pintle/api/everyday.hpp>
#include <pintle/testing/simulation.hpp>

namespace pintle::watcher {
namespace {

using namespace std::chrono_literals;

constexpr auto between = 1ms;  // two passes
constexpr int passes_at_once = 1'000;

void passes(benchmark::State& state, const std::function<void(Manager&, int& passes)>& add) {
  int passes = 0;
  testing::Simulation simulation({});
  testing::Instance instance(simulation, {.name = "op", .log_level = LogLevel::off},
                             [&](Manager& manager) { add(manager, passes); });
  instance.start();
  simulation.wait_until([&] { return instance.manager().is_ready(); });
  if (!simulation.user().create(ConfigMap{.metadata = {.name = "a", .namespace_ = "default"}})) {
    state.SkipWithError("the object could not be made");
  }
  simulation.runtime().sleep_for(1s);
  passes = 0;
  for (auto _ : state) simulation.runtime().sleep_for(between * passes_at_once);
  state.counters["pass"] = benchmark::Counter(passes, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void bare_for_watcher(benchmark::State& state) {
  passes(state, [](Manager& manager, int& passes) {
    manager.add(pintle::Controller<Object>{.watch = GroupVersionKind(ConfigMap::type),
                                           .reconcile = [&passes](const Object&, Context&) -> Outcome {
                                             ++passes;
                                             return look_again_in(between);
                                           },
                                           .workers = 10});
  });
}
BENCHMARK(bare_for_watcher)->Unit(benchmark::kMillisecond)->UseRealTime();

void watcher_with_a_reconciler(benchmark::State& state) {
  passes(state, [](Manager& manager, int& passes) {
    InformerController controller(manager.runtime());
    controller.add_reconciler(
        std::make_shared<SimpleReconciler>([&passes](const ReconcileRequest&, Context&) -> ReconcileResult {
          ++passes;
          return look_again_in(between);
        }),
        "ConfigMap");
    controller.add_informer(KubernetesBasedInformer(ConfigMap::type, {.resync = 0s}), "ConfigMap");
    controller.add_to(manager);
  });
}
BENCHMARK(watcher_with_a_reconciler)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace pintle::watcher
