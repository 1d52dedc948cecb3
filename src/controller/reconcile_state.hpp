// SPDX-License-Identifier: Apache-2.0
// ReconcileState: the internal state of one reconcile, behind its Context.
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
#include <pintle/client/write_observer.hpp>
#include <pintle/controller/context.hpp>
#include <pintle/controller/source.hpp>
#include <pintle/controller/status_writer.hpp>

#include "controller/clusters/cluster_handle.hpp"
#include "controller/clusters/secret_clusters.hpp"
#include "controller/runner/reconcile_metrics.hpp"
#include "controller/sources/owned_kinds.hpp"
#include "events/event_recorder.hpp"
#include "telemetry/tracing.hpp"

namespace pintle {

class ReconcileState {
 public:
  const Object& object;
  const std::vector<ReconcileCause>& causes;
  const std::shared_ptr<ClusterHandle>& cluster;  // the cluster of the object
  const ClusterHandles& clusters;
  SecretClusters& secret_clusters;
  EventRecorder& events;
  const ReconcileMetrics& metrics;
  const std::string& controller;
  const std::string& field_manager;
  Log log;
  std::stop_token stop;
  const std::vector<Owns>* owns = nullptr;  // null if there is no controller, see reconcile_once()
  OwnedKinds* owned_kinds = nullptr;        // null with `owns`
  std::weak_ptr<WriteObserver> writes{};    // observes the writes for the history
  Tracing* tracing = nullptr;               // null without a tracer
  Span* span = nullptr;                     // null without a tracer
  NoopSpan no_span{};
  std::optional<StatusDraft> status{};  // set by the first call of Context::status()
  Instant deadline = Instant::max();
  std::map<std::type_index, std::any> slots{};

  // The only ways to make a context.
  [[nodiscard]] Context context() { return Context(*this); }
  [[nodiscard]] ClusterContext context_of(std::shared_ptr<ClusterHandle> handle) {
    return ClusterContext(*this, std::move(handle));
  }

  // Returns whether the object may have children of this kind, see Context::is_active().
  [[nodiscard]] bool is_active(const GroupVersionKind& kind) const {
    return owned_kinds == nullptr || owned_kinds->is_active(kind, object);
  }
  // Returns the result of a write at a cluster. If the write was to the reconciled object, the status will be written
  // for the version that the write returned.
  Result<Object> noted(const ClusterHandle& where, Result<Object> result);
};

}  // namespace pintle
