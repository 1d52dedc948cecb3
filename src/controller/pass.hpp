// Pass: what a controller puts behind the Context of one pass.
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

#include "controller/runner/reconcile_metrics.hpp"
#include "events/event_recorder.hpp"
#include "secret_clusters.hpp"
#include "site.hpp"
#include "telemetry/tracing.hpp"

namespace pintle {

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
