// SPDX-License-Identifier: Apache-2.0
// The edits and faults of a trial, from its seed.
#pragma once

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

void add_random_edits(std::vector<Event>& events, std::size_t count, Duration active, const Survey& survey,
                      Random& random);
// In a quarter of the trials, another program sets metadata on an object.
void add_marks(std::vector<Event>& events, Duration active, const Survey& survey, Random& random);
void add_random_faults(std::vector<Event>& events, std::size_t count, const SimulateOptions& options,
                       const Survey& survey, Random& random);

}  // namespace pintle::testkit
