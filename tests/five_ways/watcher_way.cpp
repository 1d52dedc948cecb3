#include <pintle/patterns/watcher.hpp>

#include "ways.hpp"

namespace pintle::five_ways {
namespace {

using namespace std::chrono_literals;

void add_watcher_job(Manager& manager, Job job) {
  watcher::InformerController controller(manager.runtime());
  controller.add_informer(watcher::KubernetesBasedInformer::of<Widget>({.resync = 0s, .workers = job.workers}),
                          "widget");
  std::shared_ptr<watcher::Reconciler> reconciler = std::make_shared<watcher::TypedReconciler<Widget>>(
      [job](const watcher::TypedReconcileRequest<Widget>& request, Context& ctx) -> watcher::ReconcileResult {
        const ObjectKey key = request.object.metadata.key();
        if (request.action != watcher::ReconcileAction::deleted) return job.look(key, request.object.spec.text, ctx);
        if (job.clean_up) return job.clean_up(key, ctx);
        return settled;
      });
  if (job.clean_up) reconciler = std::make_shared<watcher::OpinionatedReconciler>(job.finalizer, reconciler);
  controller.add_reconciler(reconciler, "widget");
  controller.add_to(manager);
}

}  // namespace

Way watcher() {
  return {.name = "watcher", .add = add_watcher_job, .first_waits = {5s, 10s, 20s}, .is_held_at_once = false};
}

}  // namespace pintle::five_ways
