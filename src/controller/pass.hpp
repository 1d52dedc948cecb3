// What a controller puts behind the Context of one pass: the pass, and the sites where it reads and writes.
#pragma once

#include <any>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <typeindex>
#include <vector>

#include <pintle/cache/informer.hpp>
#include <pintle/controller/context.hpp>
#include <pintle/controller/source.hpp>
#include <pintle/controller/status_writer.hpp>

#include "controller/apply/applier.hpp"
#include "controller/runner/reconcile_metrics.hpp"
#include "events/event_recorder.hpp"
#include "secret_clusters.hpp"
#include "telemetry/tracing.hpp"

namespace pintle {

using Informers = std::multimap<GroupVersionKind, Informer*>;

// A cluster as one controller works with it. The informers are set before the first pass; else thread-safe.
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

class Pass {
 public:
  const Object& object;
  const std::vector<ReconcileCause>& causes;
  const std::shared_ptr<Site>& site;  // where the object is
  const Sites& sites;
  SecretClusters& secret_clusters;
  EventRecorder& events;
  const ReconcileMetrics& metrics;
  const std::string& controller;
  const std::string& field_manager;
  Log log;
  std::stop_token stop;
  const std::vector<Owns>* owns = nullptr;  // null: no controller
  Tracing* tracing = nullptr;               // null: nobody traces
  Span* span = nullptr;                     // as well
  NoSpan no_span{};
  std::optional<StatusDraft> status{};  // once it was asked for
  Instant deadline = Instant::max();
  std::map<std::type_index, std::any> slots{};

  // Passes on what a write at a site answered; when it is about the object of this pass, the status is written on top
  // of it.
  Result<Object> noted(const Site& where, Result<Object> answer);
};

}  // namespace pintle
