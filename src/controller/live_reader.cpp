// SPDX-License-Identifier: Apache-2.0
#include <pintle/controller/live_reader.hpp>

#include <string>

#include "controller/clusters/cluster_handle.hpp"

namespace pintle {

Result<Object> LiveReader::get(const GroupVersionKind& kind, const ObjectKey& key) const {
  return cluster_->client->get(kind, key, stop_);
}

Result<std::optional<Object>> LiveReader::find(const GroupVersionKind& kind, const ObjectKey& key) const {
  auto found = get(kind, key);
  if (found) return std::optional(std::move(*found));
  if (found.error().code == ErrorCode::not_found) return std::optional<Object>();
  return fail(std::move(found.error()));
}

Result<std::vector<Object>> LiveReader::list(const GroupVersionKind& kind, const ListOptions& options) const {
  auto listed = list_with_version(kind, options);
  if (!listed) return fail(std::move(listed.error()));
  return std::move(listed->items);
}

Result<ObjectList> LiveReader::list_with_version(const GroupVersionKind& kind, ListOptions options) const {
  auto listed = all_pages(kind, options);
  if (!listed || !options.resource_version.empty() || !options.continue_.empty()) return listed;
  const std::string expected = cluster_->newest_writes.missing_from(kind, listed->resource_version);
  if (expected.empty()) return listed;
  options.resource_version = expected;
  options.resource_version_match = "NotOlderThan";
  cluster_->own_write_reads.older_lists.add();
  auto repeated = all_pages(kind, std::move(options));
  if (!repeated) cluster_->own_write_reads.failed_older_lists.add();
  return repeated;
}

// The resource version is that of the last page.
Result<ObjectList> LiveReader::all_pages(const GroupVersionKind& kind, ListOptions options) const {
  ObjectList all;
  do {
    auto page = cluster_->client->list(kind, options, stop_);
    if (!page) return page;
    for (Object& object : page->items) all.items.push_back(std::move(object));
    all.resource_version = std::move(page->resource_version);
    options.continue_ = std::move(page->continue_);
    options.resource_version.clear();  // the continue token contains it; a server rejects a request with both
    options.resource_version_match.clear();
  } while (!options.continue_.empty());
  return all;
}

}  // namespace pintle
