// The cost of a reconcile in each pattern if there is nothing to do: one object that requests a delay, in a simulation.
// The cost of a pattern is the difference to "plain".
#include <benchmark/benchmark.h>

#include <pintle/testing/simulation.hpp>

#include "ways.hpp"

namespace pintle::five_ways {
namespace {

using namespace std::chrono_literals;

constexpr auto between = 1ms;  // two reconciles
constexpr int passes_at_once = 1'000;

void passes(benchmark::State& state, const Way& way) {
  testing::Simulation simulation({});
  int passes = 0;
  const Job job{.look = [&](const ObjectKey&, const std::string&, Context&) -> Outcome {
    ++passes;
    return requeue_after(between);
  }};
  testing::Instance instance(simulation, {.name = "op", .log_level = LogLevel::off},
                             [&](Manager& manager) { way.add(manager, job); });
  instance.start();
  simulation.wait_until([&] { return instance.manager().is_ready(); });
  if (!simulation.user().create(Widget{.metadata = {.name = "a", .namespace_ = "default"}})) {
    state.SkipWithError("the object could not be made");
  }
  simulation.executor().sleep_for(1s);
  passes = 0;
  for (auto _ : state) simulation.executor().sleep_for(between * passes_at_once);
  state.counters["pass"] = benchmark::Counter(passes, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

}  // namespace
}  // namespace pintle::five_ways

int main(int argc, char** argv) {
  for (const pintle::five_ways::Way& way : pintle::five_ways::ways()) {
    benchmark::RegisterBenchmark(way.name.c_str(),
                                 [way](benchmark::State& state) { pintle::five_ways::passes(state, way); })
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime();
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
