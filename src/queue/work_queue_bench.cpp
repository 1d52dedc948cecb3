// What a turn of a key costs. Budgets: docs and architecture ("queue Add+Get+Done", "1M keys in and out").
#include <pintle/queue/work_queue.hpp>

#include <memory>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

namespace pintle {
namespace {

// As large as what a controller keeps of a change.
struct Why {
  std::shared_ptr<const int> object{};
  int source = 0;
  Instant when{};
};

template <class Cause>
void one_key_at_a_time(benchmark::State& state, QueueMetrics* metrics) {
  const auto runtime = make_real_runtime(1);
  WorkQueue<std::string, Cause> queue(*runtime, {.metrics = metrics});
  const std::string key = "default/a";
  for (auto _ : state) {
    queue.add(key, Cause{});
    auto item = queue.get();
    queue.done(*item);
  }
  state.SetItemsProcessed(state.iterations());
}

struct NoCause {};

void BM_AddGetDone(benchmark::State& state) { one_key_at_a_time<NoCause>(state, nullptr); }
BENCHMARK(BM_AddGetDone);

void BM_AddGetDoneWithCausesAndMetrics(benchmark::State& state) {
  MetricsRegistry registry;
  QueueMetrics metrics(registry, "bench");
  one_key_at_a_time<Why>(state, &metrics);
}
BENCHMARK(BM_AddGetDoneWithCausesAndMetrics);

// A million keys in, then out, with as many priorities as given.
void BM_MillionKeysInAndOut(benchmark::State& state) {
  constexpr int count = 1'000'000;
  const auto runtime = make_real_runtime(1);
  std::vector<std::string> keys;
  keys.reserve(count);
  for (int i = 0; i < count; ++i) keys.push_back("ns/" + std::to_string(i));
  for (auto _ : state) {
    WorkQueue<std::string, NoCause> queue(*runtime);
    for (int i = 0; i < count; ++i) {
      queue.add(keys[static_cast<std::size_t>(i)], NoCause{}, static_cast<int>(i % state.range(0)) * -10);
    }
    for (int i = 0; i < count; ++i) {
      auto item = queue.get();
      queue.done(*item);
    }
  }
  state.SetItemsProcessed(state.iterations() * count);
}
BENCHMARK(BM_MillionKeysInAndOut)->Arg(1)->Arg(2)->Arg(10)->Unit(benchmark::kMillisecond);

// Each thread adds a key, takes one and finishes it, all on one queue.
void BM_AddGetDoneByThreads(benchmark::State& state) {
  static const auto runtime = make_real_runtime(1);
  static WorkQueue<std::uint64_t, NoCause> queue(*runtime);
  std::uint64_t key = static_cast<std::uint64_t>(state.thread_index()) << 32U;
  for (auto _ : state) {
    queue.add(++key, NoCause{});
    auto item = queue.get();
    queue.done(*item);
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(BM_AddGetDoneByThreads)->ThreadRange(1, 8)->UseRealTime();

}  // namespace
}  // namespace pintle
