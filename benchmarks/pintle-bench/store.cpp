#include <atomic>
#include <string>
#include <vector>

#include <pintle/cache/store.hpp>

#include "connection.hpp"
#include "process.hpp"

namespace pintle::benchmarks {
namespace {

// One thread puts objects into the store while `readers` threads list all of it.
json::object contend(Executor& executor, Store& store, const std::vector<Object>& objects, int readers,
                     const BenchOptions& options) {
  std::atomic<bool> is_over = false;
  std::atomic<std::size_t> lists = 0;
  std::vector<Thread> threads;
  for (int i = 0; i < readers; ++i) {
    threads.push_back(executor.spawn({.name = "reader-" + std::to_string(i)}, [&] {
      while (!is_over) {
        if (store.list().size() == objects.size()) ++lists;
      }
    }));
  }
  const Instant begun = executor.now();
  const double cpu = thread_cpu_seconds();
  std::size_t writes = 0;
  while (executor.now() - begun < options.hold && !options.stop.stop_requested()) {
    store.put(objects[writes++ % objects.size()]);
  }
  const double cpu_s = thread_cpu_seconds() - cpu;
  const double seconds = std::chrono::duration<double>(executor.now() - begun).count();
  is_over = true;
  threads.clear();
  return {{"readers", readers},
          {"writes_per_cpu_s", static_cast<double>(writes) / cpu_s},
          {"writes_per_s", static_cast<double>(writes) / seconds},
          {"lists_per_s", static_cast<double>(lists) / seconds}};
}

}  // namespace

Measured measure_store(const BenchOptions& options) {
  const auto executor = make_real_executor();
  Store store(*executor);
  std::vector<Object> objects;
  for (std::size_t n = 0; n < options.count; ++n) {
    auto object = Object::parse(object_of(options.kind, n));
    if (!object) return fail(std::move(object.error()));
    store.put(objects.emplace_back(std::move(*object)));
  }
  json::array runs;
  for (const int readers : {0, 1, 10, 80}) runs.push_back(contend(*executor, store, objects, readers, options));
  return json::object{{"mode", "store"}, {"kind", options.kind}, {"objects", options.count}, {"runs", std::move(runs)}};
}

}  // namespace pintle::benchmarks
