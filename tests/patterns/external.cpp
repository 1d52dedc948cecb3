// SPDX-License-Identifier: Apache-2.0
#include <pintle/patterns/external.hpp>

#include "patterns.hpp"

namespace pintle::every_pattern {
namespace {

using namespace std::chrono_literals;

class Jobs final : public external::Reconciler<Widget> {
 public:
  explicit Jobs(Job job) : job_(std::move(job)) {}

  Outcome read(const Widget&, Context&, Data&, Meta&) override { return done; }
  Result<external::Diff> diff(const Widget&, Context&, Data&, Meta&) override {
    return external::Diff{.need_update = true};
  }
  Outcome create(const Widget&, Context&, Data&, Meta&) override { return done; }
  Outcome update(const Widget& widget, Context& ctx, Data&, Meta&) override {
    return job_.reconcile(widget.metadata.key(), widget.spec.text, ctx);
  }
  Outcome remove(const Widget& widget, Context& ctx, Data&, Meta&) override {
    return job_.clean_up(widget.metadata.key(), ctx);
  }

 private:
  const Job job_;
};

void add_external_job(Manager& manager, Job job) {
  const int workers = job.workers;
  const bool reports = job.reports;
  const bool owns_config_maps = job.owns_config_maps;
  const std::string finalizer = job.clean_up ? job.finalizer : "";
  Controller<Widget> controller =
      external::StdReconciler<Jobs>{
          .finalizer = finalizer, .reconciler = std::make_shared<Jobs>(std::move(job)), .reports_ready = reports}
          .controller();
  if (owns_config_maps) controller.owns = {ConfigMap::type};
  controller.workers = workers;
  manager.add(std::move(controller));
}

}  // namespace

Pattern external() {
  return {.name = "external", .add = add_external_job, .first_waits = {5ms, 10ms, 20ms}, .reports_exceptions = true};
}

}  // namespace pintle::every_pattern
