#include <algorithm>

#include <pintle/patterns/guard.hpp>

#include "ways.hpp"

namespace pintle::five_ways {
namespace {

using namespace std::chrono_literals;

// A widget whose conditions are of the pattern's own vocabulary.
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

void add_guard_job(Manager& manager, Job job) {
  guard::Provider<Workspace> provider{
      .condition = "Job",
      .reconcile = [job](const Workspace& workspace, guard::ProviderController& controller) -> guard::StepResult {
        if (job.clean_up) {
          auto set = controller.set_finalizer(job.finalizer);
          if (!set) return set;
          if (*set == guard::FinalizerState::deleting) return settled;  // nothing would clean up after this
        }
        return job.look(workspace.metadata.key(), workspace.spec.text, controller.context());
      },
      .terminate = [job](const Workspace& workspace, guard::ProviderController& controller) -> guard::StepResult {
        const std::vector<std::string>& finalizers = workspace.metadata.finalizers;
        const bool is_ours = std::find(finalizers.begin(), finalizers.end(), job.finalizer) != finalizers.end();
        if (!job.clean_up || !is_ours) return guard::next_step;  // done, or never begun
        Outcome outcome = job.clean_up(workspace.metadata.key(), controller.context());
        if (!outcome.is_settled()) return outcome;
        return controller.remove_finalizer(job.finalizer);
      }};
  Controller<Workspace> controller =
      guard::controller(manager.runtime(), guard::Pipeline<Workspace>{.providers = std::vector{provider}});
  controller.workers = job.workers;
  manager.add(std::move(controller));
}

}  // namespace

Way guard() {
  return {.name = "guard",
          .add = add_guard_job,
          .first_waits = {5ms, 10ms, 20ms},
          .foreign_condition_status = "Healthy",
          .counts_terminal_errors = false};
}

}  // namespace pintle::five_ways
