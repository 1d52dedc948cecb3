#include <pintle/patterns/phased/pass.hpp>

#include <pintle/runtime/status_writer.hpp>

namespace pintle::phased {
namespace {

// The last word of /phase, once all are through.
constexpr const char* all_phases = "running";

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
  while (const auto phase = next_phase()) {
    const std::string name = phase->name();
    if (reports_ready()) context().status().set("/phase", name);
    const Outcome outcome = phase->run();
    if (const Error* error = outcome.as_failed()) {
      const ErrorVerdict verdict = verdict_of(*phase, *error);
      if (verdict.goes_on()) continue;
      const Outcome judged = verdict.outcome();
      if (judged.as_failed() == nullptr) return judged;
      return failed(Error(*judged.as_failed()).during("Error when run phase " + name));
    }
    if (!outcome.is_settled()) return outcome;
    if (reports_ready()) {
      context().status().condition(
          {.type = name, .status = ConditionStatus::true_, .reason = "Success", .message = "Ready"});
    }
  }
  if (reports_ready()) context().status().set("/phase", all_phases);
  return ready(on_success());
}

ErrorVerdict Pass::verdict_of(PhasePass& phase, const Error& error) {
  return verdict_on(error, context(), [&](const Error& asked) {
    if (reports_ready()) context().event(EventType::warning, "ReconcilerStepActionError", asked.to_string());
    return phase.on_error(asked);
  });
}

}  // namespace pintle::phased
