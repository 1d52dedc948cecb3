// Passes of a controller in a loop, on the simulated runtime, for benchmarks of what a pattern adds to them.
#pragma once

#include <functional>
#include <memory>

#include <benchmark/benchmark.h>

#include <pintle/runtime/manager.hpp>
#include <pintle/testing/simulation.hpp>

namespace pintle {

// Times `reconcile` inside a pass: once an iteration, without what the controller does around it.
inline void bench_pass(benchmark::State& state, const std::function<Outcome(const Object&, Context&)>& reconcile) {
  testing::Simulation simulation({.seed = 1});
  bool is_done = false;
  testing::Instance instance(simulation, {.name = "bench", .log_level = LogLevel::off}, [&](Manager& manager) {
    manager.add(Controller<Object>{.watch = {"v1", "ConfigMap"},
                                   .reconcile = [&](const Object& object, Context& context) -> Outcome {
                                     for (auto _ : state) benchmark::DoNotOptimize(reconcile(object, context));
                                     is_done = true;
                                     return settled;
                                   }});
  });
  instance.start();
  const json::Value made = json::object{
      {"apiVersion", "v1"}, {"kind", "ConfigMap"}, {"metadata", json::object{{"name", "a"}, {"namespace", "default"}}}};
  (void)simulation.user().create(made);
  if (!simulation.wait_until([&] { return is_done; })) state.SkipWithError("no pass");
}

}  // namespace pintle
