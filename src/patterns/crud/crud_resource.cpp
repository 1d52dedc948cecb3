// SPDX-License-Identifier: Apache-2.0
#include <pintle/patterns/crud/crud_resource.hpp>

#include <array>

#include <pintle/patterns/crud/reconcile_flags.hpp>

#include "failures.hpp"

namespace pintle::crud {
namespace {

struct Step {
  std::string_view operation{};
  Result<void> (CrudSteps::*run)() = nullptr;
  // Returns whether the step has anything to do. Null: the step always runs, because later steps need its result.
  bool (CrudSteps::*is_due)() const = nullptr;
};

constexpr Step update_patch{"NewUpdatePatch", &CrudSteps::new_update_patch};
constexpr Step delete_patch{"NewDeletePatch", &CrudSteps::new_delete_patch};

constexpr std::array<Step, 6> steps_with(const Step& patch) {
  return {{{"GetCurrentState", &CrudSteps::get_current_state},
           {"GetDesiredState", &CrudSteps::get_desired_state},
           patch,
           {"ApplyCreatePatch", &CrudSteps::apply_create_change, &CrudSteps::has_create_change},
           {"ApplyDeletePatch", &CrudSteps::apply_delete_change, &CrudSteps::has_delete_change},
           {"ApplyUpdatePatch", &CrudSteps::apply_update_change, &CrudSteps::has_update_change}}};
}

constexpr auto creating = steps_with(update_patch);
constexpr auto deleting = steps_with(delete_patch);

Result<void> run_step(const Step& step, CrudSteps& steps, const Resource::Caller& caller) {
  bool is_made = step.is_due != nullptr;
  auto done = caller(step.operation, [&] {
    auto made = (steps.*step.run)();
    if (made) is_made = true;
    return made;
  });
  if (done && !is_made) {
    return fail(execution_failed(
        "a hook around " + std::string(step.operation) +
        " returned success without calling it, but the next step needs its result: let the hook call it"));
  }
  return done;
}

}  // namespace

Result<void> run_steps(CrudSteps& steps, Resource::Goal goal, Context& context, const Resource::Caller& caller) {
  const ReconcileFlags& flags = reconcile_flags(context);
  for (const Step& step : goal == Resource::Goal::created ? creating : deleting) {
    if (flags.reconciliation_canceled.is_set() || flags.resource_canceled.is_set()) return {};
    if (step.is_due != nullptr && !(steps.*step.is_due)()) continue;
    if (auto done = run_step(step, steps, caller); !done) return done;
  }
  return {};
}

std::vector<std::string_view> crud_operations() {
  std::vector<std::string_view> names;
  for (const Step& step : creating) names.push_back(step.operation);
  names.insert(names.begin() + 3, delete_patch.operation);
  return names;
}

}  // namespace pintle::crud
