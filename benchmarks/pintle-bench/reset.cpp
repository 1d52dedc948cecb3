// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "connection.hpp"
#include "on_threads.hpp"

namespace pintle::benchmarks {

Measured reset(const BenchOptions& options) {
  const GroupVersionKind kind = kind_named(options.kind);
  auto connection = connect(options, kind);
  if (!connection) return fail(std::move(connection.error()));
  std::size_t deleted = 0;
  while (!options.stop.stop_requested()) {
    const auto page = connection->client->list(
        kind, {.namespace_ = options.namespace_, .limit = 500, .metadata_only = true}, options.stop);
    if (!page) return fail(page.error());
    if (page->items.empty()) break;
    const auto remove = [&](std::size_t n) -> Result<void> {
      const auto removed = connection->client->remove(kind, page->items[n].key(), {}, options.stop);
      return removed ? Result<void>() : Result<void>(fail(removed.error()));
    };
    auto done = on_threads(*connection->executor, options.concurrency, page->items.size(), options.stop, remove);
    if (!done) return fail(std::move(done.error()));
    deleted += page->items.size();
  }
  return json::object{{"mode", "reset"}, {"kind", options.kind}, {"deleted", deleted}};
}

}  // namespace pintle::benchmarks
