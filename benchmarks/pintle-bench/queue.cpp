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

double seconds_since(const Runtime& runtime, Instant begun) {
  return std::chrono::duration<double>(runtime.now() - begun).count();
}

}  // namespace

Measured measure_queue(const BenchOptions& options) {
  const auto runtime = make_real_runtime();
  std::vector<ObjectKey> keys;
  for (std::size_t n = 0; n < options.count; ++n) keys.push_back({"default", "frontend-" + std::to_string(n)});
  const auto count = static_cast<double>(keys.size());
  const double cpu = cpu_seconds();

  Queue queue(*runtime);
  const Instant begun = runtime->now();
  for (std::size_t n = 0; n < keys.size() && !options.stop.stop_requested(); ++n) add(queue, keys, n);
  const double fill_s = seconds_since(*runtime, begun);
  const Instant full = runtime->now();
  for (std::size_t left = queue.waiting(); left > 0 && !options.stop.stop_requested(); --left) take(queue);
  const double drain_s = seconds_since(*runtime, full);

  // There is always one to take for a thread that has added one.
  const Instant empty = runtime->now();
  const auto turn = [&](std::size_t n) -> Result<void> {
    add(queue, keys, n);
    take(queue);
    return {};
  };
  if (auto done = on_threads(*runtime, options.concurrency, keys.size(), options.stop, turn); !done) {
    return fail(std::move(done.error()));
  }
  const double mixed_s = seconds_since(*runtime, empty);
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
