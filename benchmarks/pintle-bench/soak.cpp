// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include <pintle/cache/informer.hpp>

#include "connection.hpp"
#include "on_threads.hpp"
#include "process.hpp"

namespace pintle::benchmarks {
namespace {

constexpr Duration patience = std::chrono::minutes(1);

// Writes a new value into one gadget after another. Each write has its time, so slow responses do not lower the rate.
Result<void> change_gadgets(const Connection& writer, const GroupVersionKind& kind, const BenchOptions& options) {
  const auto keys = some_gadgets(*writer.client, kind, options);
  if (!keys) return fail(keys.error());
  Executor& executor = *writer.executor;
  const Instant begun = executor.now();
  const auto seconds = std::chrono::duration<double>(options.hold).count();
  const auto count = static_cast<std::size_t>(seconds * options.rate);
  const auto change = [&](std::size_t n) -> Result<void> {
    executor.sleep_until(begun + std::chrono::nanoseconds(std::chrono::seconds(1)) * n / options.rate, options.stop);
    const json::Value patch{
        {"metadata", {{"annotations", {{"bench.example.com/soak", "a value of its own, " + std::to_string(n)}}}}}};
    const auto written = writer.client->patch(kind, (*keys)[n % keys->size()], patch, {}, options.stop);
    return written ? Result<void>() : Result<void>(fail(written.error()));
  };
  return on_threads(executor, options.concurrency, count, options.stop, change);
}

// Returns the number of objects that differ between the cache and the server.
Result<std::size_t> differences(Client& client, const Informer& informer, const GroupVersionKind& kind,
                                const BenchOptions& options) {
  std::size_t different = 0;
  std::size_t listed = 0;
  auto done = client.for_each(
      kind, {.namespace_ = options.namespace_, .metadata_only = true},
      [&](const Object& one) {
        ++listed;
        if (informer.store().get(one.key()).resource_version() != one.resource_version()) ++different;
        return true;
      },
      options.stop);
  if (!done) return fail(std::move(done.error()));
  const std::size_t kept = informer.store().size();
  return different + (kept > listed ? kept - listed : 0);
}

}  // namespace

Measured measure_soak(const BenchOptions& options) {
  const GroupVersionKind kind = kind_named("gadgets");
  auto connection = connect(options, kind);
  if (!connection) return fail(std::move(connection.error()));
  auto writer = connect(options, kind);  // a client of its own, so that the cache does not see the responses
  if (!writer) return fail(std::move(writer.error()));
  Executor& executor = *connection->executor;
  json::Pool pool(executor);
  Dispatcher dispatcher(executor);
  Informer informer(*connection->client, dispatcher, Log(),
                    {.resource = connection->resource, .namespace_ = options.namespace_, .reflector = {.pool = &pool}});
  std::atomic<std::uint64_t> delivered = 0;
  informer.add_handler([&](const Change&) { ++delivered; });
  informer.start();
  if (auto synced = informer.wait_for_sync(executor.now() + patience, options.stop); !synced) {
    return fail(std::move(synced.error()));
  }
  std::fputs("synced\n", stderr);

  const std::uint64_t initial = delivered;
  const double at_start = resident_mb();
  const double cpu = cpu_seconds();
  std::atomic<double> after_a_tenth = 0;
  Thread watcher = executor.spawn({.name = "tenth"}, [&] {
    executor.sleep_for(options.hold / 10, options.stop);
    after_a_tenth = resident_mb();
  });
  auto changed = change_gadgets(*writer, kind, options);
  watcher.join();
  if (!changed) return fail(std::move(changed.error()));
  if (options.stop.stop_requested()) return fail(ErrorCode::cancelled, "the soak was interrupted");
  const double at_end = resident_mb();
  const double cpu_s = cpu_seconds() - cpu;

  auto different = differences(*connection->client, informer, kind, options);
  for (const Instant limit = executor.now() + patience; different && *different > 0 && executor.now() < limit;) {
    executor.sleep_for(std::chrono::milliseconds(100), options.stop);
    different = differences(*connection->client, informer, kind, options);
  }
  informer.stop();
  dispatcher.stop();
  if (!different) return fail(std::move(different.error()));
  const auto seconds = std::chrono::duration<double>(options.hold).count();
  return json::object{{"mode", "soak"},
                      {"rate", options.rate},
                      {"hold_s", seconds},
                      {"written", static_cast<std::uint64_t>(seconds * options.rate)},
                      {"delivered", delivered - initial},
                      {"different_at_end", *different},
                      {"start_mb", at_start},
                      {"tenth_mb", after_a_tenth.load()},
                      {"end_mb", at_end},
                      {"cpu_s", cpu_s}};
}

}  // namespace pintle::benchmarks
