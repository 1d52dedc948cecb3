// What a pass of external costs beside one of a bare controller: nothing has to be done in either.
#include <benchmark/benchmark.h>

#include <pintle/patterns/external.hpp>

#include "../pass_bench_test_support.hpp"

namespace pintle::external {
namespace {

class Nothing final : public Reconciler<Object> {
 public:
  Outcome read(const Object&, Context&, Scratch&, std::monostate&) override { return settled; }
  Result<Diff> diff(const Object&, Context&, Scratch&, std::monostate&) override { return Diff{}; }
  Outcome create(const Object&, Context&, Scratch&, std::monostate&) override { return settled; }
  Outcome update(const Object&, Context&, Scratch&, std::monostate&) override { return settled; }
  Outcome remove(const Object&, Context&, Scratch&, std::monostate&) override { return settled; }
};

void BM_ExternalPass(benchmark::State& state) {
  const StdReconciler<Nothing> reconciler{.reconciler = std::make_shared<Nothing>()};
  bench_pass(state, [&](const Object& object, Context& context) { return reconciler.reconcile(object, context); });
}
BENCHMARK(BM_ExternalPass);

void BM_BarePass(benchmark::State& state) {
  bench_pass(state, [](const Object&, Context&) -> Outcome { return settled; });
}
BENCHMARK(BM_BarePass);

}  // namespace
}  // namespace pintle::external
