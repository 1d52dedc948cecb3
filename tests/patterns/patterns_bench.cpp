// The cost of a reconcile in each pattern if there is nothing to do: one object that requests a delay, in a simulation.
// The cost of a pattern is the difference to "plain".
#include <benchmark/benchmark.h>

#include <pintle/testing/simulation.hpp>

#include "patterns.hpp"

namespace pintle::every_pattern {
namespace {

using namespace std::chrono_literals;

constexpr auto between = 1ms;  // two reconciles
constexpr int passes_at_once = 1'000;

void passes(benchmark::State& state, const Pattern& pattern) {
  testing::Simulation simulation({});
  int passes = 0;
  const Job job{.look = [&](const ObjectKey&, const std::string&, Context&) -> Outcome {
    ++passes;
    return requeue_after(between);
  }};
  testing::Instance instance(simulation, {.name = "op", .log_level = LogLevel::off},
                             [&](Manager& manager) { pattern.add(manager, job); });
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
}  // namespace pintle::every_pattern

int main(int argc, char** argv) {
  for (const pintle::every_pattern::Pattern& pattern : pintle::every_pattern::patterns()) {
    benchmark::RegisterBenchmark(pattern.name.c_str(),
                                 [pattern](benchmark::State& state) { pintle::every_pattern::passes(state, pattern); })
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime();
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
