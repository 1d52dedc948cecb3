// SPDX-License-Identifier: Apache-2.0
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <atomic>
#include <string>
#include <vector>

#include <pintle/cache/store.hpp>

#include "connection.hpp"
#include "process.hpp"

namespace pintle::benchmarks {
namespace {

enum class Reading { range, copy };          // copy: a vector of handles
enum class Writing { in_order, scattered };  // scattered: hardly any two writes change the same part of the store

struct Contention {
  int readers = 0;
  Reading reading = Reading::range;
  Writing writing = Writing::in_order;
};

std::size_t read_all(const Store& store, Reading reading) {
  if (reading == Reading::copy) return store.list().size();
  std::size_t count = 0;
  for (const Object& object : store.range()) count += object.root().exists() ? 1 : 0;
  return count;
}

// One thread puts objects into the store while other threads list all of it.
json::object contend(Executor& executor, Store& store, const std::vector<Object>& objects, const Contention& of,
                     const BenchOptions& options) {
  std::atomic<bool> is_over = false;
  std::atomic<std::size_t> lists = 0;
  std::vector<Thread> threads;
  for (int i = 0; i < of.readers; ++i) {
    threads.push_back(executor.spawn({.name = "reader-" + std::to_string(i)}, [&] {
      while (!is_over) {
        if (read_all(store, of.reading) == objects.size()) ++lists;
      }
    }));
  }
  const std::size_t step = of.writing == Writing::in_order ? 1 : 7919;  // a prime number
  const Instant begun = executor.now();
  const double cpu = thread_cpu_seconds();
  std::size_t writes = 0;
  std::size_t at = 0;
  // At least once: with many readers, this thread may first run when the time is over.
  do {
    store.put(objects[at]);
    ++writes;
    at = (at + step) % objects.size();
  } while (executor.now() - begun < options.hold && !options.stop.stop_requested());
  const double cpu_s = thread_cpu_seconds() - cpu;
  const double seconds = std::chrono::duration<double>(executor.now() - begun).count();
  is_over = true;
  threads.clear();
  return {{"readers", of.readers},
          {"reading", of.reading == Reading::range ? "range" : "copy"},
          {"writing", of.writing == Writing::in_order ? "in order" : "scattered"},
          {"writes_per_cpu_s", static_cast<double>(writes) / cpu_s},
          {"writes_per_s", static_cast<double>(writes) / seconds},
          {"lists_per_s", static_cast<double>(lists) / seconds}};
}

std::size_t allocated_bytes() {
#ifdef __GLIBC__
  const auto use = ::mallinfo2();
  return use.uordblks + use.hblkhd;
#else
  return 0;
#endif
}

// Each of 2,000 owners lists its objects, which are in one namespace, as a controller of each of them does. The bytes
// are those of the index, for each object.
Measured search(Executor& executor, std::size_t count) {
  constexpr std::size_t owners = 2'000;
  Store store(executor);
  for (std::size_t n = 0; n < count; ++n) {
    const std::string uid = "00000000-0000-0000-0000-" + std::to_string(n % owners);
    const std::string text = R"({"metadata":{"namespace":"jobs","name":"job-)" + std::to_string(n) +
                             R"(","ownerReferences":[{"controller":true,"uid":")" + uid + R"("}]}})";
    auto object = Object::parse(text);
    if (!object) return fail(std::move(object.error()));
    store.put(std::move(*object));
  }
  const std::size_t bytes = allocated_bytes();
  const double building = thread_cpu_seconds();
  (void)store.find(by_controller("none"));
  const double begun = thread_cpu_seconds();
  const std::size_t index_bytes = allocated_bytes() - bytes;
  std::size_t found = 0;
  for (std::size_t owner = 0; owner < owners; ++owner) {
    const auto children = store.find(by_controller("00000000-0000-0000-0000-" + std::to_string(owner)), "jobs");
    for (const Object& child : *children) found += child.exists() ? 1 : 0;
  }
  const double ended = thread_cpu_seconds();
  constexpr double us = 1e6;
  return json::object{{"objects", count},
                      {"found", found},
                      {"build_cpu_ms", (begun - building) * 1e3},
                      {"index_bytes_per_object", static_cast<double>(index_bytes) / static_cast<double>(count)},
                      {"cpu_us_per_list", (ended - begun) * us / owners}};
}

}  // namespace

Measured measure_store(const BenchOptions& options) {
  const auto executor = make_real_executor();
  Store store(*executor);
  std::vector<Object> objects;
  for (std::size_t n = 0; n < options.count; ++n) {
    auto object = Object::parse(object_of(options.kind, n));
    if (!object) return fail(std::move(object.error()));
    objects.push_back(std::move(*object));
  }
  const std::size_t before = allocated_bytes();
  for (const Object& object : objects) store.put(object);
  const std::size_t bytes = allocated_bytes() - before;
  json::array runs;
  for (const int readers : {0, 1, 10, 80}) {
    runs.push_back(contend(*executor, store, objects, {.readers = readers}, options));
  }
  for (const int readers : {0, 10}) {
    runs.push_back(contend(*executor, store, objects, {readers, Reading::range, Writing::scattered}, options));
  }
  runs.push_back(contend(*executor, store, objects, {10, Reading::copy, Writing::in_order}, options));
  auto searched = search(*executor, options.count);
  if (!searched) return searched;
  return json::object{
      {"mode", "store"},          {"kind", options.kind},
      {"objects", options.count}, {"bytes_per_object", static_cast<double>(bytes) / static_cast<double>(options.count)},
      {"runs", std::move(runs)},  {"lists_by_owner", std::move(*searched)}};
}

}  // namespace pintle::benchmarks
