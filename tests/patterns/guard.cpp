// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <pintle/patterns/guard.hpp>

#include "patterns.hpp"

namespace pintle::every_pattern {
namespace {

using namespace std::chrono_literals;

// A widget with conditions of the guard pattern.
struct Workspace {
  static constexpr Type type = Widget::type;
  struct Status {
    std::string phase{};
    std::string seen{};
    std::vector<guard::Condition> conditions{};
    static constexpr auto fields() {
      return pintle::fields(field("phase", &Status::phase), field("seen", &Status::seen),
                            field("conditions", &Status::conditions));
    }
  };
  Metadata metadata{};
  Widget::Spec spec{};
  Status status{};
};

// Runs the work under the lock of the condition.
guard::StepResult guarded(guard::ProviderController& controller, const std::function<Outcome()>& work) {
  Outcome outcome = done;
  auto guarded = controller.guard("at work", [&]() -> Result<guard::TaskResult> {
    outcome = work();
    if (const Error* error = outcome.as_failed()) return fail(*error);
    if (outcome.is_requeue()) return guard::TaskResult{guard::ConditionStatus::in_progress, "not yet"};
    return guard::TaskResult{guard::ConditionStatus::completed, "done"};
  });
  if (!guarded) return guarded;
  return outcome;
}

guard::StepResult guarded_removal(guard::ProviderController& controller, const std::string& finalizer,
                                  const std::function<Outcome()>& work) {
  Outcome outcome = done;
  auto guarded = controller.guard_then_remove_finalizer("at work", finalizer, [&]() -> Result<guard::TaskResult> {
    outcome = work();
    if (const Error* error = outcome.as_failed()) return fail(*error);
    if (!outcome.is_done()) return guard::TaskResult{guard::ConditionStatus::in_progress, "not yet"};
    return guard::TaskResult{guard::ConditionStatus::terminated, "cleaned up"};
  });
  if (!guarded) return guarded;
  return outcome;
}

// The reason of a condition is a failure only if the status is Error.
Readiness guard_status(const Object& widget) {
  const auto condition = guard::condition_of(widget, "Job");
  if (!condition) return {};
  return {.is_ready = condition->status == guard::ConditionStatus::completed && widget["/status/phase"] != "Error",
          .failure = condition->status == guard::ConditionStatus::error ? condition->reason : ""};
}

void add_guard_job(Manager& manager, Job job) {
  guard::Provider<Workspace> provider{
      .condition = "Job",
      .reconcile = [job](const Workspace& workspace, guard::ProviderController& controller) -> guard::StepResult {
        if (job.clean_up) {
          auto set = controller.set_finalizer(job.finalizer);
          if (!set) return set;
          if (*set == guard::FinalizerState::deleting) return done;  // no later reconcile would clean up
        }
        // Finished work is not repeated, so no lock is taken.
        const bool is_done = controller.condition().status == guard::ConditionStatus::completed;
        if (job.reports && is_done && workspace.status.seen == workspace.spec.text) return guard::next_step;
        const auto reconcile = [&] {
          return job.reconcile(workspace.metadata.key(), workspace.spec.text, controller.context());
        };
        return job.reports ? guarded(controller, reconcile) : guard::StepResult(reconcile());
      },
      .terminate = [job](const Workspace& workspace, guard::ProviderController& controller) -> guard::StepResult {
        const std::vector<std::string>& finalizers = workspace.metadata.finalizers;
        const bool is_ours = std::find(finalizers.begin(), finalizers.end(), job.finalizer) != finalizers.end();
        if (!job.clean_up || !is_ours) return guard::next_step;  // cleaned up already, or nothing to clean up
        const auto clean_up = [&] { return job.clean_up(workspace.metadata.key(), controller.context()); };
        if (job.reports) return guarded_removal(controller, job.finalizer, clean_up);
        Outcome outcome = clean_up();
        if (!outcome.is_done()) return outcome;
        return controller.remove_finalizer(job.finalizer);
      }};
  Controller<Workspace> controller =
      guard::controller(manager.executor(), guard::Pipeline<Workspace>{.providers = std::vector{provider}});
  controller.workers = job.workers;
  if (job.owns_config_maps) controller.owns = {ConfigMap::type};
  manager.add(std::move(controller));
}

}  // namespace

Pattern guard() {
  return {.name = "guard",
          .add = add_guard_job,
          .first_waits = {5ms, 10ms, 20ms},
          .foreign_condition_status = "Healthy",
          .counts_terminal_errors = false,
          .readiness = guard_status,
          .readiness_condition = "Job",
          .reports_exceptions = true,
          .has_final_phase = true};
}

}  // namespace pintle::every_pattern
