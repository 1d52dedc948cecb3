// SPDX-License-Identifier: Apache-2.0
#include "trial.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace pintle::testkit {
namespace {

constexpr std::size_t max_references = 1'000;
constexpr std::uint64_t survey_seed = 0;
constexpr std::uint64_t trials_of_spec_check = 8;  // one of so many compares the result with that of the final specs
constexpr std::uint64_t seed_of_schedules = 1;
// Trials with the same edits share a reference, so it must not depend on the seed of the trial that needs it first.
constexpr std::uint64_t seed_of_references = 1;

// Seeds take turns, so that each strategy is used with all kinds of faults.
Scheduling scheduling_of(std::uint64_t seed) {
  if (seed % 2 == 1) return {};
  return {.strategy = Scheduling::Strategy::priorities};
}

}  // namespace

std::optional<std::pair<Oracle, std::string>> Trials::first(const std::map<Oracle, std::string>& violations) const {
  for (const auto& violation : violations) {
    if (!options_.without.contains(violation.first)) return violation;
  }
  return std::nullopt;
}

const Survey& Trials::survey() {
  if (survey_) return *survey_;
  Run run(survey_seed, {}, options_, setup_, nullptr, parts_);
  edits_ = run.subject().edits;
  random_edits_ = run.subject().random_edits;
  RunResult result = run.execute({}, false);
  survey_failure_ = first(result.violations);
  survey_timeline_ = std::move(result.timeline);
  survey_ = std::move(result.survey);
  if (!survey_failure_ && !options_.exhaustive && !options_.faults.empty() &&
      applicable_faults(options_, *survey_).empty()) {
    survey_failure_.emplace(Oracle::runs,
                            "none of the chosen classes of faults applies to this operator: election needs leader "
                            "election, outside needs Subject::outside, and webhooks needs webhooks");
  }
  return *survey_;
}

std::vector<Event> Trials::plan(const ChosenTrial& trial) {
  const Survey& seen = survey();
  if (trial.schedule) return edits_of(edits_);
  if (!survey_failure_ && is_sweep(trial.seed, options_)) {
    return sweep_of(trial.seed, options_.active, writes_of_sweep(), edits_of_sweep(seen, edits_, random_edits_));
  }
  return plan_of(trial.seed, options_, seen, edits_, random_edits_);
}

// Without a crash.
std::uint64_t Trials::writes_of_sweep() {
  if (writes_of_sweep_) return *writes_of_sweep_;
  const std::vector<Event> events = edits_of_sweep(survey(), edits_, random_edits_);
  std::vector<const Event*> all;
  for (const Event& event : events) all.push_back(&event);
  Run run(seed_of_references, {}, options_, setup_, &survey(), parts_);
  writes_of_sweep_ = run.execute(all, false).writes;
  return *writes_of_sweep_;
}

const FinalState& Trials::reference(const std::vector<const Event*>& events, TrialResult& result) {
  std::string name;
  for (const Event* event : events) {
    if (event->is_edit() || event->is_outage) name += event->what + format_duration(event->at) + "\n";
  }
  const auto known = references_.find(name);
  if (known != references_.end()) return known->second;
  if (references_.size() >= max_references) references_.clear();
  ++result.schedules;
  Run run(seed_of_references, {}, options_, setup_, &survey(), parts_);
  RunResult done = run.execute(events, false);
  if (!result.failure) {
    result.failure = first(done.violations);
    if (result.failure) result.timeline = "(without faults)\n" + done.timeline;
  }
  return references_.emplace(std::move(name), std::move(done.state)).first->second;
}

void Trials::check_spec(RunResult& done, TrialResult& result) {
  auto known = afresh_.find(done.specs);
  if (known == afresh_.end()) {
    if (afresh_.size() >= max_references) afresh_.clear();
    ++result.schedules;
    Survey begun = survey();
    begun.objects = done.objects;
    Run run(seed_of_references, {}, options_, setup_, &begun, parts_);
    RunResult fresh = run.execute({}, false);
    if (auto failure = first(fresh.violations)) {
      done.violations.emplace(failure->first,
                              "if the objects have their final specs at the beginning, " + failure->second);
      return;
    }
    known = afresh_.emplace(done.specs, std::move(fresh.state)).first;
  }
  const std::string difference = first_difference(known->second, done.state);
  if (difference.empty()) return;
  done.violations.emplace(Oracle::matches_spec,
                          "compared with objects that have their final specs at the beginning, " + difference);
}

TrialResult Trials::run(const ChosenTrial& trial) {
  TrialResult result;
  const std::vector<Event> all = plan(trial);
  if (survey_failure_) {
    result.failure = survey_failure_;
    result.timeline = "(without edits and faults)\n" + survey_timeline_;
    result.is_of_survey = true;
    return result;
  }
  std::vector<std::string> texts;
  for (const Event& event : all) texts.push_back(event.what);
  result.plan = mark_of_plan(texts);
  if (!trial.plan.empty() && trial.plan != result.plan) {
    result.failure.emplace(Oracle::runs,
                           "the replay has other events than this trial: it is of another version of the program, or "
                           "of other options. Run the seeds again");
    return result;
  }
  if (trial.kept && std::ranges::any_of(*trial.kept, [&](std::size_t number) { return number >= all.size(); })) {
    result.failure.emplace(Oracle::runs, fmt::format("the replay names event {}, and the trial has {} events; another "
                                                     "program or other options have made it",
                                                     std::ranges::max(*trial.kept), all.size()));
    return result;
  }
  std::vector<const Event*> events;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (trial.kept && std::find(trial.kept->begin(), trial.kept->end(), i) == trial.kept->end()) continue;
    events.push_back(&all[i]);
    result.events.push_back(all[i].what);
  }
  TrialResult judgement =
      trial.schedule
          ? judged(seed_of_schedules,
                   {.strategy = Scheduling::Strategy::choices, .choices = choices_of(*trial.schedule)}, events)
          : judged(trial.seed, scheduling_of(trial.seed), events);
  judgement.events = std::move(result.events);
  judgement.plan = std::move(result.plan);
  return judgement;
}

// Compares a run with the one without faults.
TrialResult Trials::judged(std::uint64_t seed, Scheduling scheduling, const std::vector<const Event*>& events) {
  TrialResult result;
  const FinalState expected = reference(events, result);
  if (result.failure) return result;
  ++result.schedules;
  RunResult done;
  {
    Run run(seed, std::move(scheduling), options_, setup_, &survey(), parts_);
    done = run.execute(events, true);
  }
  if (!done.violations.contains(Oracle::becomes_idle)) {
    const std::string difference = first_difference(expected, done.state);
    if (!difference.empty()) done.violations.emplace(Oracle::same_state, difference);
    // The survey has no edits.
    const bool has_other_edits = std::ranges::any_of(events, &Event::may_change_more);
    if (!has_other_edits && !done.specs.empty() && done.specs == survey().specs) {
      const std::string left = first_difference(survey().state, done.state);
      if (!left.empty()) done.violations.emplace(Oracle::returns, "after changes of the specs and back, " + left);
    }
    const bool has_changed = !has_other_edits && !done.specs.empty() && done.specs != survey().specs;
    const bool is_its_turn = seed % trials_of_spec_check == 1 && !options_.without.contains(Oracle::same_state) &&
                             !options_.without.contains(Oracle::matches_spec);
    if (has_changed && is_its_turn) check_spec(done, result);
  }
  result.failure = first(done.violations);
  result.faults = std::move(done.faults);
  result.timeline = std::move(done.timeline);
  result.trace_hash = done.trace_hash;
  result.alternatives = std::move(done.alternatives);
  return result;
}

}  // namespace pintle::testkit
