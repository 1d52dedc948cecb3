// What a pass of the pattern costs beside one of the bare controller: one object, a step with nothing to do, simulated.
#include <pintle/patterns/guard.hpp>

#include <functional>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include <pintle/testing/simulation.hpp>

namespace pintle::guard {
namespace {

using namespace std::chrono_literals;

struct Site {
  static constexpr Type type{"test.pintle.dev/v1", "Site"};
  struct Status {
    std::string phase{};
    std::vector<Condition> conditions{};
    static constexpr auto fields() {
      return pintle::fields(field("phase", &Status::phase), field("conditions", &Status::conditions));
    }
  };
  Metadata metadata{};
  Status status{};
};

constexpr auto between = 1ms;  // two passes
constexpr int passes_at_once = 1'000;

void passes(benchmark::State& state, const std::function<void(Manager&, int& passes)>& add) {
  int passes = 0;
  testing::Simulation simulation({});
  testing::Instance instance(simulation, {.name = "op", .log_level = LogLevel::off},
                             [&](Manager& manager) { add(manager, passes); });
  instance.start();
  simulation.wait_until([&] { return instance.manager().is_ready(); });
  if (!simulation.user().create(Site{.metadata = {.name = "a", .namespace_ = "default"}})) {
    state.SkipWithError("the object could not be made");
  }
  simulation.runtime().sleep_for(1s);
  passes = 0;
  for (auto _ : state) simulation.runtime().sleep_for(between * passes_at_once);
  state.counters["pass"] = benchmark::Counter(passes, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void bare(benchmark::State& state) {
  passes(state, [](Manager& manager, int& passes) {
    manager.add(Controller<Site>{.reconcile = [&passes](const Site&, Context&) -> Outcome {
      ++passes;
      return look_again_in(between);
    }});
  });
}
BENCHMARK(bare)->Unit(benchmark::kMillisecond)->UseRealTime();

void pipeline(benchmark::State& state) {
  passes(state, [](Manager& manager, int& passes) {
    const Provider<Site> provider{.condition = "A",
                                  .reconcile = [&passes](const Site&, ProviderController&) -> StepResult {
                                    ++passes;
                                    return look_again_in(between);
                                  }};
    manager.add(controller(manager.runtime(), Pipeline<Site>{.providers = {provider}}));
  });
}
BENCHMARK(pipeline)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace pintle::guard
