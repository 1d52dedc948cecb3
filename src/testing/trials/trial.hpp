// SPDX-License-Identifier: Apache-2.0
// Trial: the runs of one seed, and their verdict.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "chosen_trial.hpp"
#include "plan.hpp"
#include "run.hpp"

namespace pintle::testkit {

struct TrialResult {
  std::optional<std::pair<Oracle, std::string>> failure{};  // the first violation, in the order of Oracle
  std::vector<std::string> events{};                        // that were kept
  std::string plan{};                                       // mark_of_plan() of all events
  std::map<std::string, std::uint64_t> faults{};
  std::string timeline{};
  bool is_of_survey = false;  // fails without edits and faults
  std::uint64_t trace_hash = 0;
  std::uint64_t schedules = 0;
  std::vector<std::uint32_t> alternatives{};  // of a schedule that was chosen
};

// Runs the trials of one simulation. Keeps what trials have in common: the survey, and the final states without faults.
class Trials {
 public:
  // `options` and `setup` must outlive this object.
  Trials(const SimulateOptions& options, const SubjectSetup& setup)
      : options_(options), setup_(setup), parts_{.stacks = options.fibers ? FiberStacks::make() : nullptr} {}

  // The events of a seed. Those of a schedule are the edits of the subject.
  [[nodiscard]] std::vector<Event> plan(const ChosenTrial& trial);
  [[nodiscard]] TrialResult run(const ChosenTrial& trial);

 private:
  [[nodiscard]] TrialResult judged(std::uint64_t seed, Scheduling scheduling, const std::vector<const Event*>& events);
  const Survey& survey();
  [[nodiscard]] std::uint64_t writes_of_sweep();
  const FinalState& reference(const std::vector<const Event*>& events, TrialResult& result);
  // Compares the final state with that of an operator that gets the final specs at once.
  void check_spec(RunResult& done, TrialResult& result);
  [[nodiscard]] std::optional<std::pair<Oracle, std::string>> first(
      const std::map<Oracle, std::string>& violations) const;

  const SimulateOptions& options_;
  const SubjectSetup& setup_;
  const RunParts parts_;
  std::optional<Survey> survey_;
  std::optional<std::pair<Oracle, std::string>> survey_failure_;
  std::string survey_timeline_;
  std::vector<Edit> edits_;
  bool random_edits_ = true;
  std::map<std::string, FinalState> references_;  // by the texts of the edits
  std::map<std::string, FinalState> afresh_;      // by the specs
  std::optional<std::uint64_t> writes_of_sweep_;
};

}  // namespace pintle::testkit
