#include <atomic>
#include <cstdio>

#include <pintle/cache/informer.hpp>

#include "connection.hpp"
#include "process.hpp"

namespace pintle::benchmarks {
namespace {

constexpr Duration patience = std::chrono::minutes(5);

json::Projection kept(Form form) {
  json::Projection projection{.drop = {"/metadata/managedFields"}};
  if (form == Form::metadata) projection.keep = {"/apiVersion", "/kind", "/metadata"};
  return projection;
}

}  // namespace

Measured measure_sync(const BenchOptions& options) {
  const auto kind = kind_named(options.kind);
  if (!kind) return fail(kind.error());
  auto connection = connect(options);
  if (!connection) return fail(std::move(connection.error()));
  auto resource = connection->client->resource(*kind);
  if (!resource) return fail(std::move(resource.error()));

  Runtime& runtime = *connection->runtime;
  json::Pool pool(runtime);
  Dispatcher dispatcher(runtime);
  Informer informer(*connection->client, dispatcher, Log(),
                    {.resource = std::move(*resource),
                     .namespace_ = options.namespace_,
                     .reflector = {.pool = &pool, .kept = {.projection = kept(options.form)}}});
  std::atomic<std::size_t> adds = 0;
  informer.add_handler([&adds](const Change& change) {
    if (!change.old) ++adds;
  });

  const double empty = resident_mb();
  const double cpu = cpu_seconds();
  const Instant begun = runtime.now();
  informer.start();
  if (auto synced = informer.wait_for_sync(begun + patience); !synced) return fail(std::move(synced.error()));
  const double synced_s = std::chrono::duration<double>(runtime.now() - begun).count();
  const double cpu_s = cpu_seconds() - cpu;
  const double rss = resident_mb();
  std::fputs("synced\n", stderr);
  runtime.sleep_for(options.hold);

  const double settled = resident_mb();
  const std::size_t count = informer.store().size();
  const double bytes = count == 0 ? 0 : (settled - empty) * 1024 * 1024 / static_cast<double>(count);
  informer.stop();
  dispatcher.stop();
  return json::object{
      {"mode", "sync"},        {"kind", options.kind},     {"objects", count}, {"adds", adds.load()},
      {"synced_s", synced_s},  {"cpu_s", cpu_s},           {"rss_mb", rss},    {"peak_mb", peak_resident_mb()},
      {"settled_mb", settled}, {"bytes_per_object", bytes}};
}

}  // namespace pintle::benchmarks
