// What a pass of phased with three phases costs, when nothing has to be done.
#include <benchmark/benchmark.h>

#include <pintle/patterns/phased.hpp>

#include "../pass_bench_test_support.hpp"

namespace pintle::phased {
namespace {

class Nothing final : public K8sPhaseReconciler<Object> {
 public:
  std::string name() const override { return "Nothing"; }
  Outcome read(const Object&, Context&, Scratch&) override { return settled; }
  K8sDiffOutcome diff(const Object&, Context&, Scratch&) override { return K8sDiff{}; }
  Outcome create(const Object&, Context&, Scratch&) override { return settled; }
  Outcome update(const Object&, Context&, Scratch&) override { return settled; }
  Outcome remove(const Object&, Context&, Scratch&) override { return settled; }
};

void BM_PhasedPassOfThree(benchmark::State& state) {
  const auto phase = std::make_shared<Nothing>();
  const StdK8sReconciler<K8sReconciler<Object>> reconciler{.reconciler = std::make_shared<K8sReconciler<Object>>(),
                                                           .phases = {phase, phase, phase}};
  bench_pass(state, [&](const Object& object, Context& context) { return reconciler.reconcile(object, context); });
}
BENCHMARK(BM_PhasedPassOfThree);

}  // namespace
}  // namespace pintle::phased
