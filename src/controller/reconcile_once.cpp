// SPDX-License-Identifier: Apache-2.0
#include <pintle/controller/reconcile_once.hpp>

#include <utility>
#include <vector>

#include <pintle/controller/clusters.hpp>

#include "reconcile_state.hpp"

namespace pintle {

Outcome reconcile_once(const std::shared_ptr<Client>& client, const Object& object,
                       const std::function<Outcome(Context&)>& reconcile, const ReconcileOnceOptions& options) {
  constexpr Duration grace = std::chrono::seconds(10);
  Executor& executor = client->transport().executor();
  const std::string field_manager = options.manager + "/" + options.controller;
  const std::vector<ReconcileCause> causes{{.object = object, .enqueued_at = executor.now(), .due = executor.now()}};
  MetricsRegistry registry;
  const ReconcileMetrics metrics(registry, options.controller, 1);
  const ClusterHandles clusters{
      {std::string(home_cluster), std::make_shared<ClusterHandle>(std::string(home_cluster), client, field_manager)}};
  SecretClusters secret_clusters(executor, 16, options.connect);
  EventRecorder events(*client, options.log, registry, options.manager);
  ReconcileState state{.object = object,
                       .causes = causes,
                       .cluster = clusters.begin()->second,
                       .clusters = clusters,
                       .secret_clusters = secret_clusters,
                       .events = events,
                       .metrics = metrics,
                       .controller = options.controller,
                       .field_manager = field_manager,
                       .log = options.log.with({{"key", object.key().to_string()}}),
                       .stop = options.stop};
  Context context = state.context();
  Outcome outcome = reconcile(context);
  if (state.status) outcome = StatusWriter(*client, field_manager).finish(std::move(outcome), *state.status, {});
  events.stop(grace);
  return outcome;
}

}  // namespace pintle
