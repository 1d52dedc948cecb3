// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include <pintle/object/kind.hpp>
#include <pintle/queue/work_queue.hpp>

#include "bench.hpp"
#include "on_threads.hpp"
#include "process.hpp"

namespace pintle::benchmarks {
namespace {

struct NoCause {};
using Queue = WorkQueue<ObjectKey, NoCause>;

void add(Queue& queue, const std::vector<ObjectKey>& keys, std::size_t n) {
  queue.add(keys[n], NoCause{}, n % 2 == 0 ? normal_priority : low_priority);
}
void take(Queue& queue) {
  if (auto item = queue.get()) queue.done(*item);
}

double seconds_since(const Executor& executor, Instant begun) {
  return std::chrono::duration<double>(executor.now() - begun).count();
}

}  // namespace

Measured measure_queue(const BenchOptions& options) {
  const auto executor = make_real_executor();
  std::vector<ObjectKey> keys;
  for (std::size_t n = 0; n < options.count; ++n) keys.push_back({"default", "frontend-" + std::to_string(n)});
  const auto count = static_cast<double>(keys.size());
  const double cpu = cpu_seconds();

  Queue queue(*executor);
  const Instant begun = executor->now();
  for (std::size_t n = 0; n < keys.size() && !options.stop.stop_requested(); ++n) add(queue, keys, n);
  const double fill_s = seconds_since(*executor, begun);
  const Instant full = executor->now();
  for (std::size_t left = queue.waiting(); left > 0 && !options.stop.stop_requested(); --left) take(queue);
  const double drain_s = seconds_since(*executor, full);

  // Each thread adds a key before it takes one, so that the queue always has a key to take.
  const Instant empty = executor->now();
  const auto turn = [&](std::size_t n) -> Result<void> {
    add(queue, keys, n);
    take(queue);
    return {};
  };
  if (auto done = on_threads(*executor, options.concurrency, keys.size(), options.stop, turn); !done) {
    return fail(std::move(done.error()));
  }
  const double mixed_s = seconds_since(*executor, empty);
  return json::object{{"mode", "queue"},
                      {"keys", keys.size()},
                      {"fill_per_s", count / fill_s},
                      {"drain_per_s", count / drain_s},
                      {"in_out_per_s", count / (fill_s + drain_s)},
                      {"mixed_per_s", count / mixed_s},
                      {"cpu_s", cpu_seconds() - cpu},
                      {"peak_mb", peak_resident_mb()}};
}

}  // namespace pintle::benchmarks
