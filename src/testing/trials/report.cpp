// SPDX-License-Identifier: Apache-2.0
// What simulate() found, as text.
#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <pintle/testing/simulate.hpp>

namespace pintle::testkit {
namespace {

constexpr auto kinds =
    std::to_array<std::pair<std::string_view, FaultClass>>({{"clock-jump", FaultClass::clock},
                                                            {"compaction", FaultClass::lost_events},
                                                            {"conflict", FaultClass::protocol},
                                                            {"crash-after-write", FaultClass::crash},
                                                            {"crash-before-write", FaultClass::crash},
                                                            {"delay", FaultClass::protocol},
                                                            {"error-429", FaultClass::protocol},
                                                            {"error-500", FaultClass::protocol},
                                                            {"error-503", FaultClass::protocol},
                                                            {"error-504", FaultClass::protocol},
                                                            {"freeze", FaultClass::freeze},
                                                            {"late-events", FaultClass::lost_events},
                                                            {"lease-lost", FaultClass::election},
                                                            {"lost-request", FaultClass::protocol},
                                                            {"lost-response", FaultClass::protocol},
                                                            {"no-bookmarks", FaultClass::lost_events},
                                                            {"outage", FaultClass::protocol},
                                                            {"outside-delay", FaultClass::outside},
                                                            {"outside-failure", FaultClass::outside},
                                                            {"outside-lost-response", FaultClass::outside},
                                                            {"outside-outage", FaultClass::outside},
                                                            {"outside-repeated", FaultClass::outside},
                                                            {"read-outage", FaultClass::protocol},
                                                            {"repeated-events", FaultClass::lost_events},
                                                            {"restart", FaultClass::restart},
                                                            {"rewind", FaultClass::lost_events},
                                                            {"short-time-travel", FaultClass::stale_reads},
                                                            {"split-body", FaultClass::protocol},
                                                            {"stale-reads", FaultClass::stale_reads},
                                                            {"sweep-after-write", FaultClass::crash},
                                                            {"sweep-before-write", FaultClass::crash},
                                                            {"time-travel", FaultClass::stale_reads},
                                                            {"version-too-large", FaultClass::protocol},
                                                            {"watch-410", FaultClass::lost_events},
                                                            {"watch-reset", FaultClass::lost_events},
                                                            {"watch-silent", FaultClass::lost_events},
                                                            {"webhook-500", FaultClass::webhooks},
                                                            {"webhook-delay", FaultClass::webhooks},
                                                            {"webhook-failure", FaultClass::webhooks},
                                                            {"webhook-lost-response", FaultClass::webhooks},
                                                            {"webhook-refusal", FaultClass::webhooks},
                                                            {"webhook-wrong-review", FaultClass::webhooks}});

std::string schedule_text(const SimulationFailure& failure) {
  if (failure.deviations->empty()) return "in the default schedule";
  std::string text;
  for (const auto& [decision, alternative] : *failure.deviations) {
    text += fmt::format("{}alternative {} at decision {}", text.empty() ? "in the schedule with " : ", ", alternative,
                        decision);
  }
  return text;
}

}  // namespace

std::optional<FaultClass> class_of_fault(std::string_view kind) noexcept {
  for (const auto& [name, fault] : kinds) {
    if (name == kind) return fault;
  }
  return std::nullopt;
}

std::string fault_coverage(const std::vector<SimulationReport>& reports) {
  std::string text = "| simulation | trials |";
  std::string line = "|---|---|";
  const std::set<FaultClass> classes = SimulateOptions().faults;
  for (const FaultClass one : classes) {
    text += fmt::format(" {} |", to_string(one));
    line += "---|";
  }
  text += " deleted children |\n" + line + "---|\n";
  for (const SimulationReport& report : reports) {
    std::map<FaultClass, std::uint64_t> sums;
    std::uint64_t children = 0;
    for (const auto& [kind, count] : report.faults) {
      const auto fault = class_of_fault(kind);
      if (fault) sums[*fault] += count;
      if (kind == "deleted-child") children += count;
    }
    text += fmt::format("| {} | {} |", report.name, report.trials);
    for (const FaultClass one : classes) text += fmt::format(" {} |", sums[one]);
    text += fmt::format(" {} |\n", children);
  }
  return text;
}

std::string SimulationReport::text() const {
  const double seconds = std::chrono::duration<double>(real_time).count();
  std::string text =
      fmt::format("simulation {}: {} trials, {} schedules in {:.1f} s ({:.0f} a second), trace hash {:016x}\n", name,
                  trials, schedules, seconds, seconds > 0 ? static_cast<double>(schedules) / seconds : 0.0, trace_hash);
  std::string list;
  for (const auto& [kind, count] : faults) list += fmt::format("{}{} {}", list.empty() ? "" : ", ", kind, count);
  text += "faults: " + (list.empty() ? "none" : list) + "\n";
  for (const auto& [oracle, reason] : without) text += fmt::format("without {}: {}\n", to_string(oracle), reason);
  if (explored) {
    text += fmt::format("all schedules with at most {} deviations in their first {} decisions\n", explored->deviations,
                        explored->decisions);
  }
  if (is_interrupted) text += "interrupted before its end\n";
  if (!failure) return text + (is_interrupted ? "no failure so far\n" : "no failure\n");
  const std::string where = failure->deviations ? schedule_text(*failure) : fmt::format("with seed {}", failure->seed);
  text += fmt::format("FAILED: {} {}\n  {}\n", to_string(failure->oracle), where, failure->message);
  text += fmt::format("events ({} of {} are necessary):\n", failure->events.size(), failure->events_before);
  for (const std::string& event : failure->events) text += "  - " + event + "\n";
  text += "timeline:\n" + failure->timeline + "replay: " + failure->replay + "\n";
  return text;
}

}  // namespace pintle::testkit
