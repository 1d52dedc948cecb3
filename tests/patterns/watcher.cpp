// SPDX-License-Identifier: Apache-2.0
#include <pintle/patterns/watcher.hpp>

#include "patterns.hpp"

namespace pintle::every_pattern {
namespace {

using namespace std::chrono_literals;

void add_watcher_job(Manager& manager, Job job) {
  watcher::InformerController controller(manager.executor());
  watcher::KubernetesInformerOptions options{.resync = 0s, .workers = job.workers};
  if (job.owns_config_maps) options.owns = {ConfigMap::type};
  controller.add_informer(watcher::KubernetesBasedInformer::of<Widget>(std::move(options)), "widget");
  std::shared_ptr<watcher::Reconciler> reconciler = std::make_shared<watcher::TypedReconciler<Widget>>(
      [job](const watcher::TypedReconcileRequest<Widget>& request, Context& ctx) -> watcher::ReconcileResult {
        const ObjectKey key = request.object.metadata.key();
        const auto work = [&]() -> Outcome {
          if (request.action != watcher::ReconcileAction::deleted)
            return job.reconcile(key, request.object.spec.text, ctx);
          return job.clean_up ? job.clean_up(key, ctx) : done;
        };
        return job.reports ? reported(ctx, work) : work();
      });
  if (job.clean_up) reconciler = std::make_shared<watcher::OpinionatedReconciler>(job.finalizer, reconciler);
  controller.add_reconciler(reconciler, "widget");
  controller.add_to(manager);
}

}  // namespace

Pattern watcher() {
  return {.name = "watcher",
          .add = add_watcher_job,
          .first_waits = {5s, 10s, 20s},
          .is_held_at_once = false,
          .gives_up_after = 7,
          .between_owed_clean_ups = 5min,
          .has_back_off_of_each_action = true};
}

}  // namespace pintle::every_pattern
