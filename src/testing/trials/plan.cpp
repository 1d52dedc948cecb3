// SPDX-License-Identifier: Apache-2.0
#include "plan.hpp"

#include <algorithm>

namespace pintle::testkit {

std::vector<Event> edits_of(const std::vector<Edit>& edits) {
  std::vector<Event> events;
  for (std::size_t i = 0; i < edits.size(); ++i) {
    // The functions of a subject share objects, such as a fake, so those of the run are called.
    events.push_back({.at = edits[i].at,
                      .what = edits[i].what,
                      .act = [i](Run& run) { run.edit(run.subject().edits.at(i).what, run.subject().edits.at(i).act); },
                      .is_of_subject = true});
  }
  std::ranges::stable_sort(events, {}, &Event::at);
  return events;
}

std::vector<Event> plan_of(std::uint64_t seed, const SimulateOptions& options, const Survey& survey,
                           const std::vector<Edit>& edits, bool random_edits) {
  Random random(seed);
  std::vector<Event> events = edits_of(edits);
  if (random_edits) add_random_edits(events, random.below(options.max_edits + 1), options.active, survey, random);
  add_random_faults(events, random.below(options.max_faults + 1), options, survey, random);
  Random marks(~seed);
  if (random_edits) add_marks(events, options.active, survey, marks);
  std::ranges::stable_sort(events, {}, &Event::at);
  return events;
}

}  // namespace pintle::testkit
