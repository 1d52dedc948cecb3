// SPDX-License-Identifier: Apache-2.0
#include <pintle/patterns/crud.hpp>

#include "patterns.hpp"

namespace pintle::every_pattern {
namespace {

using namespace std::chrono_literals;

// A resource either succeeds or fails; a delay is requested separately.
Result<void> as_result(const Outcome& outcome, Context& ctx) {
  if (const Error* error = outcome.as_failed()) return fail(*error);
  if (const RequeueAfter* again = outcome.as_requeue_after()) crud::request_requeue_after(ctx, again->delay);
  return outcome.is_requeue() ? fail(ErrorCode::unavailable, "not yet") : Result<void>();
}

void add_crud_job(Manager& manager, Job job) {
  const crud::Resource resource = crud::PlainResource<Widget>{
      .name = "job",
      .ensure_created =
          [job](const Widget& widget, Context& ctx) {
            const auto reconcile = [&] { return job.reconcile(widget.metadata.key(), widget.spec.text, ctx); };
            return as_result(job.reports ? reported(ctx, reconcile) : reconcile(), ctx);
          },
      .ensure_deleted = [job](const Widget& widget, Context& ctx) -> Result<void> {
        if (!job.clean_up) return {};
        const auto clean_up = [&] { return job.clean_up(widget.metadata.key(), ctx); };
        return as_result(job.reports ? reported(ctx, clean_up) : clean_up(), ctx);
      }};
  crud::FrameworkOptions config{.name = "widget",
                                .resource_router = crud::ResourceRouter(
                                    {.resource_sets = {crud::ResourceSet(
                                         {.handles = [](const Object&) { return true; }, .resources = {resource}})}}),
                                .resync_period = 24h,
                                .finalizer = static_cast<bool>(job.clean_up)};
  if (job.clean_up) config.controller.finalizer = job.finalizer;
  config.controller.workers = job.workers;
  if (job.owns_config_maps) config.controller.owns = {ConfigMap::type};
  crud::Framework::watching<Widget>(std::move(config)).boot(manager);
}

}  // namespace

Pattern crud() { return {.name = "crud", .add = add_crud_job, .first_waits = {5ms, 10ms, 20ms}}; }

}  // namespace pintle::every_pattern
