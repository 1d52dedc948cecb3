#include <pintle/controller/reconcile_once.hpp>

#include <utility>
#include <vector>

#include <pintle/controller/clusters.hpp>

#include "pass.hpp"

namespace pintle {

Outcome reconcile_once(const std::shared_ptr<Client>& client, const Object& object,
                       const std::function<Outcome(Context&)>& reconcile, const ReconcileOnceOptions& options) {
  constexpr Duration grace = std::chrono::seconds(10);
  Executor& executor = client->transport().executor();
  const std::string field_manager = options.manager + "/" + options.controller;
  const std::vector<ReconcileCause> causes{{.object = object, .queued = executor.now(), .due = executor.now()}};
  MetricsRegistry registry;
  const ReconcileMetrics metrics(registry, options.controller, 1);
  const Sites sites{
      {std::string(home_cluster), std::make_shared<Site>(std::string(home_cluster), client, field_manager)}};
  SecretClusters secret_clusters(executor, 16, options.connect);
  EventRecorder events(*client, options.log, registry, options.manager);
  Pass pass{.object = object,
            .causes = causes,
            .site = sites.begin()->second,
            .sites = sites,
            .secret_clusters = secret_clusters,
            .events = events,
            .metrics = metrics,
            .controller = options.controller,
            .field_manager = field_manager,
            .log = options.log.with({{"key", object.key().to_string()}}),
            .stop = options.stop};
  Context context(pass);
  Outcome outcome = reconcile(context);
  if (pass.status) outcome = StatusWriter(*client, field_manager).finish(std::move(outcome), *pass.status, {});
  events.stop(grace);
  return outcome;
}

}  // namespace pintle
