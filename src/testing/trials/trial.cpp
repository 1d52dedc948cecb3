// SPDX-License-Identifier: Apache-2.0
#include "trial.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace pintle::testkit {
namespace {

constexpr std::size_t max_references = 1'000;
constexpr std::uint64_t survey_seed = 0;
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
  return *survey_;
}

std::vector<Event> Trials::plan(const ChosenTrial& trial) {
  const Survey& seen = survey();
  if (trial.schedule) return edits_of(edits_);
  return plan_of(trial.seed, options_, seen, edits_, random_edits_);
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
    // The survey has no edits, and those of the subject may change more than the specs.
    const bool has_other_edits = std::ranges::any_of(events, &Event::is_of_subject);
    if (!has_other_edits && !done.specs.empty() && done.specs == survey().specs) {
      const std::string left = first_difference(survey().state, done.state);
      if (!left.empty()) done.violations.emplace(Oracle::returns, "after changes of the specs and back, " + left);
    }
  }
  result.failure = first(done.violations);
  result.faults = std::move(done.faults);
  result.timeline = std::move(done.timeline);
  result.trace_hash = done.trace_hash;
  result.alternatives = std::move(done.alternatives);
  return result;
}

}  // namespace pintle::testkit
