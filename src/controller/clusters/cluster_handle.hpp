// SPDX-License-Identifier: Apache-2.0
// ClusterHandle: one cluster as one controller uses it, with its client and caches.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/metrics.hpp>
#include <pintle/cache/cache_list_options.hpp>
#include <pintle/client/client.hpp>
#include <pintle/http/transport.hpp>

#include "controller/apply/applier.hpp"
#include "controller/newest_writes.hpp"
#include "controller/sources/informer_set.hpp"

namespace pintle {

using InformerSets = std::multimap<GroupVersionKind, std::shared_ptr<InformerSet>>;

// One source of a list: a cache or, if `informer` is null, the server.
struct ListSource {
  std::string namespace_{};  // empty: all namespaces
  std::shared_ptr<Informer> informer{};
  std::shared_ptr<Informer> indexed{};  // has the declared indexes of the kind; null: there is none
};

// Counts reads that go to the server, or are repeated, because a cache or a list may lack an own write.
struct OwnWriteReads {
  Counter pending_creates{};     // the cache may lack an object whose name was generated
  Counter older_lists{};         // the list was older than the last write, so it was repeated
  Counter failed_older_lists{};  // the repeated list failed, for example because the server did not catch up in time

  OwnWriteReads() = default;
  OwnWriteReads(MetricsRegistry& registry, const std::string& controller);
};

// The informers must be set before the first reconcile. All functions are thread-safe.
class ClusterHandle {
 public:
  ClusterHandle(std::string name_, std::shared_ptr<Client> client_, const std::string& field_manager)
      : name(std::move(name_)),
        client(std::move(client_)),
        applier(*client, field_manager),
        newest_writes(client->transport().executor()) {}

  // Returns the informer from which an object is read: one that has all objects of the kind and namespace, or else one
  // with selectors whose store has this object now. Caches of whole objects take precedence over those of metadata.
  // Null: no cache can replace a request to the server, for example
  // because the first list has not arrived.
  [[nodiscard]] std::shared_ptr<Informer> informer_of(const GroupVersionKind& kind, const ObjectKey& key) const;
  // Returns whether the cache has all objects of a kind in a namespace; "": in all namespaces that are watched.
  [[nodiscard]] bool has_all(const GroupVersionKind& kind, std::string_view namespace_) const;
  // Returns the caches that together have every object that the list selects. A list by an index selects only objects
  // that are cached. A list of all namespaces selects those that are watched, and reads the server for those of them
  // whose cache is not filled. If there is no such cache, the only source is the server. If `is_owned`, the list
  // selects by owner. Without selectors, it then has those of the watch of the kind if there is only one.
  [[nodiscard]] std::vector<ListSource> sources_of(const GroupVersionKind& kind, const CacheListOptions& list,
                                                   bool is_owned = false) const;
  // Returns the result of a write, after it was noted if the kind has no cache.
  [[nodiscard]] Result<Object> noted(const GroupVersionKind& kind, Result<Object> written);

  const std::string name;  // for messages
  const std::shared_ptr<Client> client;
  bool is_cached = false;  // whether a kind without an informer is an error of the declaration
  InformerSets informers;  // from which reconciles may read, including those with selectors
  Applier applier;
  NewestWrites newest_writes;
  OwnWriteReads own_write_reads;

 private:
  [[nodiscard]] bool has_one_watch(const GroupVersionKind& kind) const;
};

// By the name of the cluster.
using ClusterHandles = std::map<std::string, std::shared_ptr<ClusterHandle>, std::less<>>;

}  // namespace pintle
