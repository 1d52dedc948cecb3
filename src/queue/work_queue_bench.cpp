// SPDX-License-Identifier: Apache-2.0
// Measures the cost of one turn of a key. The rows have the names of the budgets of the architecture: "Add+Get+Done,
// one key at a time", 0.12 us with priority and 0.35 us with causes and metrics; "1M keys in and out", 2,000,000 items
// a second. On a shared machine the minimum of many short runs in random order is the cost of the code:
//  pintle_queue_bench --benchmark_repetitions=60 --benchmark_min_time=0.02 --benchmark_enable_random_interleaving=true
#include <pintle/queue/work_queue.hpp>

#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include <benchmark/benchmark.h>

#include <pintle/base/hash.hpp>

namespace pintle {
namespace {

// The key type of a controller: the name of an object in its namespace.
struct NamePair {
  std::string namespace_{};
  std::string name{};
  friend bool operator==(const NamePair&, const NamePair&) = default;
};

// As large as the cause that a controller stores for a change.
struct Why {
  std::shared_ptr<const int> object{};
  int source = 0;
  Instant when{};
};

struct NoCause {};

}  // namespace
}  // namespace pintle

template <>
struct std::hash<pintle::NamePair> {
  std::size_t operator()(const pintle::NamePair& key) const noexcept {
    return pintle::hash_of(key.name, pintle::hash_of(key.namespace_, 0));
  }
};

namespace pintle {
namespace {

template <class Key>
Key key_of(int number) {
  const std::string name = "frontend-" + std::to_string(number);
  if constexpr (std::is_same_v<Key, NamePair>) {
    return {"default", name};
  } else {
    return "default/" + name;
  }
}

// The minimum cost of a turn: one lock for each of its three steps, and the time. On the machine for which the budgets
// were set the locks took 34 ns, and two readings of the clock took 44 ns.
void three_locks(benchmark::State& state) {
  const auto executor = make_real_executor(1);
  Mutex mutex(*executor);
  for (auto _ : state) {
    for (int i = 0; i < 3; ++i) {
      const MutexLock lock(mutex);
      benchmark::ClobberMemory();
    }
  }
}
BENCHMARK(three_locks)->Name("three locks that nobody else wants");

void two_clock_readings(benchmark::State& state) {
  const auto executor = make_real_executor(1);
  for (auto _ : state) {
    benchmark::DoNotOptimize(executor->now());
    benchmark::DoNotOptimize(executor->now());
  }
}
BENCHMARK(two_clock_readings)->Name("two readings of the clock");

template <class Key, class Cause>
void one_key_at_a_time(benchmark::State& state, QueueMetrics* metrics) {
  const auto executor = make_real_executor(1);
  WorkQueue<Key, Cause> queue(*executor, {.metrics = metrics});
  const Key key = key_of<Key>(1);
  for (auto _ : state) {
    queue.add(key, Cause{});
    auto item = queue.get();
    queue.done(*item);
  }
  state.SetItemsProcessed(state.iterations());
}

template <class Key>
void with_priority(benchmark::State& state) {
  one_key_at_a_time<Key, NoCause>(state, nullptr);
}
BENCHMARK(with_priority<std::string>)->Name("Add+Get+Done, one key at a time, with priority/text");
BENCHMARK(with_priority<NamePair>)->Name("Add+Get+Done, one key at a time, with priority/names");

template <class Key>
void with_causes_and_metrics(benchmark::State& state) {
  MetricsRegistry registry;
  QueueMetrics metrics(registry, "bench");
  one_key_at_a_time<Key, Why>(state, &metrics);
}
BENCHMARK(with_causes_and_metrics<std::string>)->Name("Add+Get+Done, one key at a time, with causes and metrics/text");
BENCHMARK(with_causes_and_metrics<NamePair>)->Name("Add+Get+Done, one key at a time, with causes and metrics/names");

// The argument is the number of priorities.
template <class Key>
void million_keys(benchmark::State& state) {
  constexpr int count = 1'000'000;
  const auto executor = make_real_executor(1);
  std::vector<Key> keys;
  keys.reserve(count);
  for (int i = 0; i < count; ++i) keys.push_back(key_of<Key>(i));
  for (auto _ : state) {
    WorkQueue<Key, NoCause> queue(*executor);
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
BENCHMARK(million_keys<std::string>)
    ->Name("1M keys in and out, with priority/text")
    ->ArgName("priorities")
    ->Arg(1)
    ->Arg(10)
    ->Arg(100)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(million_keys<NamePair>)
    ->Name("1M keys in and out, with priority/names")
    ->ArgName("priorities")
    ->Arg(1)
    ->Arg(10)
    ->Unit(benchmark::kMillisecond);

// Each thread adds a key, takes one and finishes it, all on one queue.
void threads_on_one_queue(benchmark::State& state) {
  static const auto executor = make_real_executor(1);
  static WorkQueue<std::uint64_t, NoCause> queue(*executor);
  std::uint64_t key = static_cast<std::uint64_t>(state.thread_index()) << 32U;
  for (auto _ : state) {
    queue.add(++key, NoCause{});
    auto item = queue.get();
    queue.done(*item);
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(threads_on_one_queue)->Name("Add+Get+Done, all threads on one queue")->ThreadRange(1, 8)->UseRealTime();

}  // namespace
}  // namespace pintle
