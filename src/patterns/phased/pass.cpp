#include <pintle/patterns/phased/pass.hpp>

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

Error of_phase(Error error, const std::string& name) { return std::move(error).during("Error when run phase " + name); }

Result<std::string> name_of(const PhaseName& name) {
  try {
    return name();
  } catch (...) {
    return fail(ErrorCode::invalid, "name() threw " + describe_exception());
  }
}

}  // namespace

Outcome PhasePass::run() {
  if (Outcome configured = configure(); !configured.is_settled()) return configured;
  if (Outcome found = read(); !found.is_settled()) return found;
  const K8sDiffOutcome answered = diff();
  if (!answered.outcome().is_settled()) return answered.outcome();
  const K8sDiff& needed = answered.diff();
  Outcome outcome = settled;
  if (needed.need_create) outcome = create();
  if (needed.need_update && outcome.as_failed() == nullptr) outcome = merge(std::move(outcome), update());
  if (needed.need_delete && outcome.as_failed() == nullptr) outcome = merge(std::move(outcome), remove());
  if (!outcome.is_settled()) return outcome;
  return on_success(needed);
}

Outcome Pass::prepare() {
  if (Outcome configured = configure(); !configured.is_settled()) return configured;
  return read();
}

Outcome Pass::change() {
  bool all_succeeded = true;
  while (const auto phase = next_phase()) {
    const std::string name = phase->name();
    if (reports_ready()) context().status().set("/phase", name);
    const Outcome outcome = caught([&] { return phase->run(); });
    if (const Error* error = outcome.as_failed()) {
      const ErrorVerdict verdict = verdict_of(*phase, name, *error);
      if (verdict.goes_on()) {
        all_succeeded = false;
        continue;
      }
      const Outcome judged = verdict.outcome();
      if (judged.as_failed() == nullptr) return judged;
      return failed(of_phase(*judged.as_failed(), name));
    }
    report(name, outcome);
    if (!outcome.is_settled()) return outcome;
  }
  if (reports_ready()) context().status().set("/phase", all_phases);
  if (all_succeeded) report_unclaimed(context());
  return ready(on_success());
}

void Pass::report(const std::string& phase, const Outcome& outcome) {
  if (!reports_ready()) return;
  if (outcome.is_settled()) {
    context().status().condition(
        {.type = phase, .status = ConditionStatus::true_, .reason = "Success", .message = "Ready"});
  } else {
    context().status().condition({.type = phase, .status = ConditionStatus::false_, .reason = "Waiting"});
  }
}

ErrorVerdict Pass::verdict_of(PhasePass& phase, const std::string& name, const Error& error) {
  return verdict_by(error, [&](const Error& asked) {
    if (reports_ready()) {
      context().status().condition(failed_condition(name, asked));
      context().event(EventType::warning, "ReconcilerStepActionError", asked.to_string());
    }
    not_ready(of_phase(asked, name));
    return phase.on_error(asked);
  });
}

std::vector<Error> phase_faults(const std::vector<PhaseName>& names, bool reports_ready) {
  std::vector<Error> faults;
  const auto wrong = [&](const std::string& what) { faults.push_back(make_error(ErrorCode::invalid, what)); };
  std::map<std::string, std::size_t> numbers;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string which = "phase " + std::to_string(i + 1);
    if (!names[i]) {
      wrong(which + " can't be nil: set it, or remove it from .phases");
      continue;
    }
    const auto name = name_of(names[i]);
    if (!name) {
      faults.push_back(Error(name.error()).during("the name of " + which));
      continue;
    }
    if (name->empty()) {
      wrong(which + " has no name: let name() return one");
      continue;
    }
    const auto [first, is_new] = numbers.emplace(phase_mark(*name), i + 1);
    if (!is_new) {
      wrong("the phases " + std::to_string(first->second) + " and " + std::to_string(i + 1) + " have the same name \"" +
            *name + "\": give each phase its own name");
    }
    if (!reports_ready) continue;
    if (*name == "Ready") wrong(which + " cannot be named \"Ready\", which is a condition of the object: rename it");
    if (auto fits = check_condition({.type = *name, .reason = "Success"}); !fits) {
      faults.push_back(std::move(fits.error()).during(which));
    }
  }
  return faults;
}

}  // namespace pintle::phased
