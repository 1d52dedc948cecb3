// SPDX-License-Identifier: Apache-2.0
// The cost of a reconcile in each pattern if there is nothing to do: one object that requests a delay, in a simulation.
// The cost of a pattern is the difference to "plain".
#include <benchmark/benchmark.h>

#include <pintle/testing/simulation.hpp>

#include "patterns.hpp"

namespace pintle::every_pattern {
namespace {

using namespace std::chrono_literals;

constexpr auto between = 1ms;  // two reconciles
constexpr int reconciles_at_once = 1'000;

void reconciles(benchmark::State& state, const Pattern& pattern) {
  testkit::Simulation simulation({});
  int reconciles = 0;
  const Job job{.reconcile = [&](const ObjectKey&, const std::string&, Context&) -> Outcome {
    ++reconciles;
    return requeue_after(between);
  }};
  testkit::Instance instance(simulation, {.name = "op", .log_level = LogLevel::off},
                             [&](Manager& manager) { pattern.add(manager, job); });
  instance.start();
  simulation.wait_until([&] { return instance.manager().is_ready(); });
  if (!simulation.user().create(Widget{.metadata = {.name = "a", .namespace_ = "default"}})) {
    state.SkipWithError("the object could not be made");
  }
  simulation.executor().sleep_for(1s);
  reconciles = 0;
  for (auto _ : state) simulation.executor().sleep_for(between * reconciles_at_once);
  state.counters["pass"] = benchmark::Counter(reconciles, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

}  // namespace
}  // namespace pintle::every_pattern

int main(int argc, char** argv) {
  for (const pintle::every_pattern::Pattern& pattern : pintle::every_pattern::patterns()) {
    benchmark::RegisterBenchmark(
        pattern.name.c_str(), [pattern](benchmark::State& state) { pintle::every_pattern::reconciles(state, pattern); })
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime();
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
