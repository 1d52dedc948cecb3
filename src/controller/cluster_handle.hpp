// ClusterHandle: one cluster as one controller uses it, with its client and caches.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include <pintle/cache/cache_list_options.hpp>
#include <pintle/cache/informer.hpp>
#include <pintle/client/client.hpp>

#include "controller/apply/applier.hpp"
#include "controller/newest_writes.hpp"

namespace pintle {

using Informers = std::multimap<GroupVersionKind, Informer*>;

// The informers must be set before the first reconcile. All functions are thread-safe.
class ClusterHandle {
 public:
  ClusterHandle(std::string name_, std::shared_ptr<Client> client_, const std::string& field_manager)
      : name(std::move(name_)),
        client(std::move(client_)),
        applier(*client, field_manager),
        newest_writes(client->transport().executor()) {}

  // These functions return null if no informer can replace a request to the server, for example because the first list
  // has not arrived.
  //
  // Returns the informer whose store has all objects of a kind in a namespace ("": in all namespaces that it watches).
  [[nodiscard]] Informer* informer(const GroupVersionKind& kind, std::string_view namespace_) const;
  // Returns the same informer as informer(), or else one with selectors whose store has this object now.
  [[nodiscard]] Informer* informer_of(const GroupVersionKind& kind, const ObjectKey& key) const;
  // Returns the same informer as informer(), or else one whose selectors select every object that the list selects. A
  // list by an index selects only objects that the informer has.
  [[nodiscard]] Informer* informer_for(const GroupVersionKind& kind, const CacheListOptions& list) const;
  // Returns the result of a write, after it was noted if the kind has no cache.
  [[nodiscard]] Result<Object> noted(const GroupVersionKind& kind, Result<Object> written);

  const std::string name;  // for messages
  const std::shared_ptr<Client> client;
  bool is_cached = false;  // whether a kind without an informer is an error of the declaration
  Informers informers;     // the informers from which reconciles may read, including those with selectors
  Applier applier;
  NewestWrites newest_writes;
};

// Returns whether an informer holds all objects of its kind and namespace.
[[nodiscard]] bool has_no_selector(const Informer& informer);

// By the name of the cluster.
using ClusterHandles = std::map<std::string, std::shared_ptr<ClusterHandle>, std::less<>>;

}  // namespace pintle
