// SPDX-License-Identifier: Apache-2.0
// ChosenTrial: what identifies a trial, also in the variable PINTLE_SIMULATE of a replay.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pintle::testkit {

// The decisions of the scheduler that differ from the default schedule, with the number of the alternative.
using Deviations = std::map<std::uint64_t, std::uint32_t>;

[[nodiscard]] Deviations deviations_of(const std::vector<std::uint32_t>& choices);
[[nodiscard]] std::vector<std::uint32_t> choices_of(const Deviations& deviations);

struct ChosenTrial {
  std::uint64_t seed = 0;
  std::optional<Deviations> schedule{};            // instead of a seed: one schedule of an exhaustive exploration
  std::optional<std::vector<std::size_t>> kept{};  // the numbers of the events that happen; nothing: all
  std::string plan{};                              // mark_of_plan() of all events; "": unknown
};

// A short text that differs for other events.
[[nodiscard]] std::string mark_of_plan(const std::vector<std::string>& events);

// "NAME:17", "NAME:17:1,4", or with a schedule "NAME:@12=1@40=2:1,4". With a plan, "~" and the plan follow.
[[nodiscard]] std::string text_of(const std::string& name, const ChosenTrial& trial);
// Whether a text that text_of() may have returned names this simulation.
[[nodiscard]] bool is_of_simulation(const std::string& name, const std::string& text);
// Reads what text_of() returns; nothing for another simulation, or for any other text.
[[nodiscard]] std::optional<ChosenTrial> read_trial(const std::string& name, const std::string& text);

// The command for a shell that repeats a trial. `trial` is the result of text_of(). `command_line`: the words of the
// program, each followed by a NUL, as in /proc/self/cmdline.
[[nodiscard]] std::string replay_command(const std::string& trial, std::string_view command_line);

}  // namespace pintle::testkit
