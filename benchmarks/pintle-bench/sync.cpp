// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <string>

#include <pintle/api/core/v1.hpp>
#include <pintle/cache/informer.hpp>

#include "connection.hpp"
#include "kinds.hpp"
#include "process.hpp"

namespace pintle::benchmarks {
namespace {

constexpr Duration sync_patience = std::chrono::minutes(5);

template <class T>
bool decodes(const Object& object) {
  return decode<T>(object).has_value();
}

// A function that returns whether an object can be decoded into the struct of its kind.
using Reads = bool (*)(const Object&);
Reads reads_of(const std::string& kind) {
  if (kind == "pods") return decodes<api::core::v1::Pod>;
  return kind == "widgets" ? decodes<Widget> : decodes<Gadget>;
}

// How long functions waited for their turn on the I/O thread, as a watch event or the renewal of a lease would.
struct IoWaits {
  double longest_ms = 0;
  double longest_cpu_ms = 0;  // of the time that the I/O thread used meanwhile, which other processes do not lengthen
};

// Posts a function each millisecond.
void measure_waits(Connection& connection, IoWaits& waits, const std::atomic<bool>& is_over) {
  Executor& executor = *connection.executor;
  double cpu_before = 0;
  const auto wait_for_turn = [&] {
    std::atomic<bool> ran = false;
    double cpu = 0;
    connection.client->transport().post([&] {
      cpu = thread_cpu_seconds();
      ran = true;
    });
    while (!ran) executor.sleep_for(std::chrono::microseconds(50));
    return cpu;
  };
  cpu_before = wait_for_turn();
  while (!is_over) {
    executor.sleep_for(std::chrono::milliseconds(1));
    const Instant posted = executor.now();
    const double cpu = wait_for_turn();
    const double waited = std::chrono::duration<double>(executor.now() - posted).count();
    waits.longest_ms = std::max(waits.longest_ms, waited * 1e3);
    waits.longest_cpu_ms = std::max(waits.longest_cpu_ms, std::min(waited, cpu - cpu_before) * 1e3);
    cpu_before = cpu;
  }
}

}  // namespace

Measured measure_sync(const BenchOptions& options) {
  auto connection = connect(options, kind_named(options.kind));
  if (!connection) return fail(std::move(connection.error()));
  Executor& executor = *connection->executor;
  json::Pool pool(executor);
  Dispatcher dispatcher(executor);
  Informer informer(
      *connection->client, dispatcher, Log(),
      {.resource = connection->resource,
       .namespace_ = options.namespace_,
       .reflector = {.list_mode = options.list_mode, .pool = &pool, .metadata_only = options.form == Form::metadata}});
  std::atomic<std::size_t> adds = 0;
  std::atomic<std::size_t> unreadable = 0;
  const Reads reads = options.form == Form::typed ? reads_of(options.kind) : nullptr;
  informer.add_handler([&](const Change& change) {
    if (!change.old) ++adds;
    if (reads != nullptr && change.current && !reads(change.current)) ++unreadable;
  });

  std::atomic<bool> is_streamed = options.list_mode == ListMode::streaming;
  informer.on_watch_end([&is_streamed](const Error*) { is_streamed = false; });

  const double empty = resident_mb();
  const double cpu = cpu_seconds();
  const Instant begun = executor.now();
  std::atomic<bool> is_over = false;
  IoWaits waits;
  Thread probe;
  if (options.waits) {
    probe = executor.spawn({.name = "probe"}, [&] { measure_waits(*connection, waits, is_over); });
  }
  informer.start();
  if (auto synced = informer.wait_for_sync(begun + sync_patience, options.stop); !synced) {
    is_over = true;
    return fail(std::move(synced.error()));
  }
  is_over = true;
  probe.join();
  const double synced_s = std::chrono::duration<double>(executor.now() - begun).count();
  const double cpu_s = cpu_seconds() - cpu;
  const double rss = resident_mb();
  const char* list = is_streamed ? "streaming" : "paged";
  std::fputs("synced\n", stderr);
  executor.sleep_for(options.hold, options.stop);

  const double after_sync = resident_mb();
  const std::size_t count = informer.store().size();
  const double bytes = count == 0 ? 0 : (after_sync - empty) * 1024 * 1024 / static_cast<double>(count);
  informer.stop();
  dispatcher.stop();
  if (unreadable != 0) {
    return fail(ErrorCode::invalid, std::to_string(unreadable) + " of " + std::to_string(adds) + " " + options.kind +
                                        " cannot be read into the struct of the kind; is the CRD another?");
  }
  json::object result{{"mode", "sync"},
                      {"kind", options.kind},
                      {"list", list},
                      {"objects", count},
                      {"adds", adds.load()},
                      {"synced_s", synced_s},
                      {"cpu_s", cpu_s},
                      {"rss_mb", rss},
                      {"peak_mb", peak_resident_mb()},
                      {"settled_mb", after_sync},
                      {"bytes_per_object", bytes}};
  if (options.waits) {
    result["longest_io_wait_ms"] = waits.longest_ms;
    result["longest_io_wait_cpu_ms"] = waits.longest_cpu_ms;
  }
  return result;
}

}  // namespace pintle::benchmarks
