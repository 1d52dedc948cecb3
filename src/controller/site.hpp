// Site: a cluster as one controller works with it.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include <pintle/cache/informer.hpp>
#include <pintle/client/client.hpp>

#include "controller/apply/applier.hpp"

namespace pintle {

using Informers = std::multimap<GroupVersionKind, Informer*>;

// The informers are set before the first pass; else thread-safe.
class Site {
 public:
  Site(std::string name_, std::shared_ptr<Client> client_, const std::string& field_manager)
      : name(std::move(name_)), client(std::move(client_)), applier(*client, field_manager) {}

  // Each answers null when only the server knows.
  // The informer whose store has all objects of a kind in a namespace ("": in all that it watches).
  [[nodiscard]] Informer* informer(const GroupVersionKind& kind, std::string_view namespace_) const;
  // The same, or one with selectors whose store has this object now.
  [[nodiscard]] Informer* informer_of(const GroupVersionKind& kind, const ObjectKey& key) const;
  // The same, or one with selectors each of which the list has too, perhaps narrower.
  [[nodiscard]] Informer* informer_for(const GroupVersionKind& kind, const ListOptions& list) const;

  const std::string name;  // for messages
  const std::shared_ptr<Client> client;
  Informers informers;  // that passes may read from, those with selectors too
  Applier applier;
};

// Whether an informer holds all objects of its kind and namespace.
[[nodiscard]] bool has_no_selector(const Informer& informer);

// By the names of their clusters.
using Sites = std::map<std::string, std::shared_ptr<Site>, std::less<>>;

}  // namespace pintle
