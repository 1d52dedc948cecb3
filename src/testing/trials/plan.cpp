// SPDX-License-Identifier: Apache-2.0
#include "plan.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace pintle::testkit {
namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t sweep_every = 5;  // trials

}  // namespace

bool is_sweep(std::uint64_t seed, const SimulateOptions& options) {
  return seed % sweep_every == 0 && options.max_faults > 0 && options.faults.contains(FaultClass::crash);
}

std::vector<Event> edits_of_sweep(const Survey& survey, const std::vector<Edit>& edits, bool random_edits) {
  std::vector<Event> events = edits_of(edits);
  if (random_edits && !survey.objects.empty()) events.push_back(recreation_of(survey.objects.front(), 10s, false));
  std::ranges::stable_sort(events, {}, &Event::at);
  return events;
}

std::vector<Event> sweep_of(std::uint64_t seed, Duration active, std::uint64_t writes, std::vector<Event> edits) {
  if (writes == 0) return edits;
  const std::uint64_t point = seed / sweep_every % (2 * writes);
  const std::uint64_t write = 1 + point / 2;
  const bool after = point % 2 == 1;
  edits.insert(edits.begin(), {.at = -1ms,
                               .what = fmt::format("the operator crashes {} its write {} of {}",
                                                   after ? "after" : "before", write, writes),
                               .kind = after ? "sweep-after-write" : "sweep-before-write",
                               .act = [=](Run& run) { run.fleet().crash_once(write, after, active); }});
  return edits;
}

std::vector<Event> edits_of(const std::vector<Edit>& edits) {
  std::vector<Event> events;
  for (std::size_t i = 0; i < edits.size(); ++i) {
    // The functions of a subject share objects, such as a fake, so those of the run are called.
    events.push_back({.at = edits[i].at,
                      .what = edits[i].what,
                      .act = [i](Run& run) { run.edit(run.subject().edits.at(i).what, run.subject().edits.at(i).act); },
                      .may_change_more = !edits[i].changes_specs_only});
  }
  std::ranges::stable_sort(events, {}, &Event::at);
  return events;
}

std::vector<Event> plan_of(std::uint64_t seed, const SimulateOptions& options, const Survey& survey,
                           const std::vector<Edit>& edits, bool random_edits) {
  Random random(seed);
  std::vector<Event> events = edits_of(edits);
  if (random_edits) add_random_edits(events, random.below(options.max_edits + 1), options.active, survey, random);
  add_random_faults(events, random.below(options.max_faults + 1), options, survey, instances_of(seed, survey), random);
  Random marks(~seed);
  if (random_edits) add_marks(events, options.active, survey, marks);
  std::ranges::stable_sort(events, {}, &Event::at);
  return events;
}

}  // namespace pintle::testkit
