// SPDX-License-Identifier: Apache-2.0
#include <pintle/controller/ready_status.hpp>

#include "patterns.hpp"

namespace pintle::every_pattern {
namespace {

using namespace std::chrono_literals;

void add_plain_job(Manager& manager, Job job) {
  Controller<Widget> controller{.reconcile = [job](const Widget& widget, Context& ctx) {
    const auto reconcile = [&] { return job.reconcile(widget.metadata.key(), widget.spec.text, ctx); };
    return job.reports ? reported(ctx, reconcile) : reconcile();
  }};
  if (job.owns_config_maps) controller.owns = {ConfigMap::type};
  if (job.clean_up) {
    controller.finalize = [job](const Widget& widget, Context& ctx) {
      const auto clean_up = [&] { return job.clean_up(widget.metadata.key(), ctx); };
      return job.reports ? reported(ctx, clean_up) : clean_up();
    };
    controller.finalizer = job.finalizer;
  }
  controller.workers = job.workers;
  manager.add(std::move(controller));
}

}  // namespace

Readiness ready_status(const Object& widget) {
  return {.is_ready = is_condition_true(widget, "Ready"),
          .failure = std::string(widget["/status/lastErrorMessage"].text())};
}

Outcome reported(Context& ctx, const std::function<Outcome()>& work) {
  report_waiting(ctx.status(), "Working");
  Outcome outcome = work();
  if (const Error* error = outcome.as_failed()) {
    report_failed(ctx.status(), *error);
  } else if (!outcome.is_requeue()) {
    report_ready(ctx.status());
  }
  return outcome;
}

Pattern plain() { return {.name = "plain", .add = add_plain_job, .first_waits = {5ms, 10ms, 20ms}}; }

}  // namespace pintle::every_pattern
