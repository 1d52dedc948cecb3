#include <atomic>
#include <functional>
#include <utility>
#include <vector>

#include <pintle/base/mutex.hpp>

#include "connection.hpp"

namespace pintle::benchmarks {
namespace {

// Calls `work` with 0 to count - 1 on several threads. The first error ends it.
Result<void> on_threads(Runtime& runtime, int threads, std::size_t count,
                        const std::function<Result<void>(std::size_t)>& work) {
  std::atomic<std::size_t> next = 0;
  Mutex mutex(runtime);
  Result<void> first;
  {
    std::vector<Thread> running;
    for (int i = 0; i < threads; ++i) {
      running.push_back(runtime.spawn({.name = "bench-" + std::to_string(i)}, [&] {
        for (std::size_t n = next++; n < count; n = next++) {
          auto done = work(n);
          if (done) continue;
          const MutexLock lock(mutex);
          if (first) first = std::move(done);
          next = count;
        }
      }));
    }
  }
  return first;
}

// As a client sends it: what the server gives is taken away.
json::Value for_create(const std::string& text, const GroupVersionKind& kind, const std::string& namespace_) {
  json::Value object = json::parse(text).value();
  auto& members = object.as_object();
  members["apiVersion"] = kind.api_version();
  members["kind"] = kind.kind;
  members.erase("status");
  auto& metadata = members["metadata"].as_object();
  for (const char* given : {"uid", "resourceVersion", "creationTimestamp", "generation", "managedFields"}) {
    metadata.erase(given);
  }
  if (!namespace_.empty()) metadata["namespace"] = namespace_;
  return object;
}

Result<void> make_namespaces(Client& client, const std::string& only) {
  for (const std::string& name : only.empty() ? std::vector<std::string>{"n10k", "n40k"} : std::vector{only}) {
    const auto made = client.create(
        json::Value{{"apiVersion", "v1"}, {"kind", "Namespace"}, {"metadata", json::object{{"name", name}}}});
    if (!made && made.error().code != ErrorCode::already_exists) return fail(made.error());
  }
  return {};
}

}  // namespace

Measured fill(const BenchOptions& options) {
  const auto kind = kind_named(options.kind);
  if (!kind) return fail(kind.error());
  auto connection = connect(options);
  if (!connection) return fail(std::move(connection.error()));
  if (auto made = make_namespaces(*connection->client, options.namespace_); !made) return fail(std::move(made.error()));
  Runtime& runtime = *connection->runtime;
  const Instant begun = runtime.now();
  auto done = on_threads(runtime, options.concurrency, options.count, [&](std::size_t n) -> Result<void> {
    const auto created = connection->client->create(for_create(object_of(options.kind, n), *kind, options.namespace_));
    if (created || created.error().code == ErrorCode::already_exists) return {};
    return fail(created.error());
  });
  if (!done) return fail(std::move(done.error()));
  return json::object{{"mode", "fill"},
                      {"kind", options.kind},
                      {"objects", options.count},
                      {"total_s", std::chrono::duration<double>(runtime.now() - begun).count()}};
}

Measured reset(const BenchOptions& options) {
  const auto kind = kind_named(options.kind);
  if (!kind) return fail(kind.error());
  auto connection = connect(options);
  if (!connection) return fail(std::move(connection.error()));
  std::size_t deleted = 0;
  while (true) {
    const auto page = connection->client->list(*kind, {.namespace_ = options.namespace_, .limit = 500});
    if (!page) return fail(page.error());
    if (page->items.empty()) break;
    auto done =
        on_threads(*connection->runtime, options.concurrency, page->items.size(), [&](std::size_t n) -> Result<void> {
          const auto removed = connection->client->remove(*kind, page->items[n].key());
          return removed ? Result<void>() : Result<void>(fail(removed.error()));
        });
    if (!done) return fail(std::move(done.error()));
    deleted += page->items.size();
  }
  return json::object{{"mode", "reset"}, {"kind", options.kind}, {"deleted", deleted}};
}

}  // namespace pintle::benchmarks
