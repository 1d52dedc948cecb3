// SPDX-License-Identifier: Apache-2.0
#include <pintle/patterns/phased/reconcile_steps.hpp>

#include <map>
#include <utility>

#include <pintle/base/exceptions.hpp>
#include <pintle/controller/ready_status.hpp>
#include <pintle/controller/status_writer.hpp>
#include <pintle/object/condition.hpp>
#include <pintle/patterns/phased/list_phase.hpp>

namespace pintle::phased {
namespace {

// The value of /phase after the last phase.
constexpr const char* all_phases = "running";

Error of_phase(Error error, const std::string& name) {
  return std::move(error).with_operation("Error when run phase " + name);
}

Result<std::string> name_of(const PhaseName& name) {
  try {
    return name();
  } catch (...) {
    return fail(ErrorCode::invalid, "name() threw " + describe_exception());
  }
}

}  // namespace

Outcome PhaseSteps::run() {
  if (Outcome configured = configure(); !configured.is_done()) return configured;
  if (Outcome found = read(); !found.is_done()) return found;
  const K8sDiffOutcome diffed = diff();
  if (!diffed.outcome().is_done()) return diffed.outcome();
  const K8sDiff& needed = diffed.diff();
  Outcome outcome = done;
  if (needed.need_create) outcome = create();
  if (needed.need_update && outcome.as_failed() == nullptr) outcome = merge(std::move(outcome), update());
  if (needed.need_delete && outcome.as_failed() == nullptr) outcome = merge(std::move(outcome), remove());
  if (!outcome.is_done()) return outcome;
  return on_success(needed);
}

Outcome ReconcileSteps::prepare() {
  if (reports_ready()) context().status().remove("/phase");
  if (Outcome configured = configure(); !configured.is_done()) return configured;
  return read();
}

Outcome ReconcileSteps::change() {
  bool all_succeeded = true;
  while (const auto phase = next_phase()) {
    const std::string name = phase->name();
    if (reports_ready()) context().status().set("/phase", name);
    Outcome outcome = caught([&] { return phase->run(); });
    if (const Error* error = outcome.as_failed()) {
      const ErrorDecision verdict = verdict_of(*phase, name, *error);
      if (verdict.continues()) {
        all_succeeded = false;
        defer_removals_after(name, context());
        continue;
      }
      Outcome judged = verdict.outcome();
      if (judged.as_failed() == nullptr) return judged;
      return failed(of_phase(*judged.as_failed(), name));
    }
    report(name, outcome);
    if (!outcome.is_done()) return outcome;
  }
  if (reports_ready()) context().status().set("/phase", all_phases);
  if (all_succeeded) report_unclaimed(context());
  return ready(on_success());
}

void ReconcileSteps::report(const std::string& phase, const Outcome& outcome) {
  if (!reports_ready()) return;
  if (outcome.is_done()) {
    context().status().set_condition(
        {.type = phase, .status = ConditionStatus::true_, .reason = "Success", .message = "Ready"});
  } else {
    context().status().set_condition({.type = phase, .status = ConditionStatus::false_, .reason = "Waiting"});
  }
}

ErrorDecision ReconcileSteps::verdict_of(PhaseSteps& phase, const std::string& name, const Error& error) {
  return verdict_by(error, [&](const Error& failure) {
    if (reports_ready()) {
      context().status().set_condition(failed_condition(name, failure));
      context().event(EventType::warning, "ReconcilerStepActionError", failure.to_string());
    }
    not_ready(of_phase(failure, name));
    return phase.on_error(failure);
  });
}

std::vector<Error> validate_phases(const std::vector<PhaseName>& names, bool reports_ready) {
  std::vector<Error> errors;
  const auto wrong = [&](const std::string& what) { errors.push_back(make_error(ErrorCode::invalid, what)); };
  std::map<std::string, std::size_t> numbers;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string which = "phase " + std::to_string(i + 1);
    if (!names[i]) {
      wrong(which + " can't be nil: set it, or remove it from .phases");
      continue;
    }
    const auto name = name_of(names[i]);
    if (!name) {
      errors.push_back(Error(name.error()).with_operation("the name of " + which));
      continue;
    }
    if (name->empty()) {
      wrong(which + " has no name: let name() return one");
      continue;
    }
    const auto [first, is_new] = numbers.emplace(phase_label_value(*name), i + 1);
    if (!is_new) {
      wrong("the phases " + std::to_string(first->second) + " and " + std::to_string(i + 1) + " have the same name \"" +
            *name + "\": give each phase its own name");
    }
    if (!reports_ready) continue;
    if (*name == "Ready") wrong(which + " cannot be named \"Ready\", which is a condition of the object: rename it");
    if (auto fits = validate_condition({.type = *name, .reason = "Success"}); !fits) {
      errors.push_back(std::move(fits.error()).with_operation(which));
    }
  }
  return errors;
}

}  // namespace pintle::phased
