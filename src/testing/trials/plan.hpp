// SPDX-License-Identifier: Apache-2.0
// The edits and faults of a trial, from its seed.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include <pintle/base/random.hpp>

#include "run.hpp"

namespace pintle::testkit {

// The message of a webhook that a fault lets refuse a request.
inline constexpr std::string_view refused_by_trial = "the trial refuses this call";

// Those of the subject, and random ones, in the order of their time. Always the same for the same arguments.
[[nodiscard]] std::vector<Event> plan_of(std::uint64_t seed, const SimulateOptions& options, const Survey& survey,
                                         const std::vector<Edit>& edits, bool random_edits);

// Those of the subject alone.
[[nodiscard]] std::vector<Event> edits_of(const std::vector<Edit>& edits);

// Trials of a crash sweep: instead of other events, an object is deleted and created again, and the process ends before
// or after one of the writes that the operator makes meanwhile.
[[nodiscard]] bool is_sweep(std::uint64_t seed, const SimulateOptions& options);
// The edits of these trials.
[[nodiscard]] std::vector<Event> edits_of_sweep(const Survey& survey, const std::vector<Edit>& edits,
                                                bool random_edits);
// All events; each of the `writes` has its turn.
[[nodiscard]] std::vector<Event> sweep_of(std::uint64_t seed, Duration active, std::uint64_t writes,
                                          std::vector<Event> edits);

// The classes that apply to an operator.
[[nodiscard]] std::vector<FaultClass> applicable_faults(const SimulateOptions& options, const Survey& survey);

// An object is deleted, and created again when it is gone, or later.
[[nodiscard]] Event recreation_of(const json::Value& object, Duration at, bool waits);

void add_random_edits(std::vector<Event>& events, std::size_t count, Duration active, const Survey& survey,
                      Random& random);
// In a quarter of the trials, another program sets metadata on an object.
void add_marks(std::vector<Event>& events, Duration active, const Survey& survey, Random& random);
// An hour in which requests of one kind, or all outside calls, fail, and for which one object needs a change; nothing
// if neither is possible.
[[nodiscard]] std::optional<Event> outage_of(const SimulateOptions& options, const Survey& survey, Random& random);
// `instances`: the number of processes in this trial.
void add_random_faults(std::vector<Event>& events, std::size_t count, const SimulateOptions& options,
                       const Survey& survey, std::size_t instances, Random& random);

}  // namespace pintle::testkit
