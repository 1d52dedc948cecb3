// SPDX-License-Identifier: Apache-2.0
#include <pintle/patterns/phased.hpp>

#include "patterns.hpp"

namespace pintle::every_pattern {
namespace {

using namespace std::chrono_literals;

class PhasedJobs final : public phased::K8sReconciler<Widget> {
 public:
  explicit PhasedJobs(Job job) : job_(std::move(job)) {}

  Outcome remove(const Widget& widget, Context& ctx, Data&) override {
    return job_.clean_up(widget.metadata.key(), ctx);
  }

 private:
  const Job job_;
};

class JobPhase final : public phased::K8sPhaseReconciler<Widget> {
 public:
  explicit JobPhase(Job job) : job_(std::move(job)) {}

  [[nodiscard]] std::string name() const override { return "Job"; }
  Outcome read(const Widget&, Context&, Data&) override { return done; }
  phased::K8sDiffOutcome diff(const Widget&, Context&, Data&) override { return phased::K8sDiff{.need_update = true}; }
  Outcome create(const Widget&, Context&, Data&) override { return done; }
  Outcome update(const Widget& widget, Context& ctx, Data&) override {
    return job_.reconcile(widget.metadata.key(), widget.spec.text, ctx);
  }
  Outcome remove(const Widget&, Context&, Data&) override { return done; }

 private:
  const Job job_;
};

void add_phased_job(Manager& manager, Job job) {
  const int workers = job.workers;
  Controller<Widget> controller = phased::StdK8sReconciler<PhasedJobs>{.finalizer = job.clean_up ? job.finalizer : "",
                                                                       .reconciler = std::make_shared<PhasedJobs>(job),
                                                                       .phases = {std::make_shared<JobPhase>(job)},
                                                                       .reports_ready = job.reports}
                                      .controller();
  if (job.owns_config_maps) controller.owns = {ConfigMap::type};
  controller.workers = workers;
  manager.add(std::move(controller));
}

}  // namespace

Pattern phased() {
  return {.name = "phased", .add = add_phased_job, .first_waits = {5ms, 10ms, 20ms}, .reports_exceptions = true};
}

}  // namespace pintle::every_pattern
