// SPDX-License-Identifier: Apache-2.0
// status-operator: writes the number of free seats, and whether each member has one, to the status of each Team.
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <pintle/pintle.hpp>

struct Team {
  static constexpr pintle::Type type{"demo.pintle.dev/v1", "Team"};
  struct Spec {
    std::int64_t seats = 1;
    std::vector<std::string> members{};
    static constexpr auto fields() {
      return pintle::fields(pintle::field("seats", &Spec::seats, "Number of seats.").minimum(0).column("Seats"),
                            pintle::field("members", &Spec::members, "Members who need a seat."));
    }
  };
  struct Status {
    std::int64_t observed_generation = 0;
    std::int64_t free_seats = 0;
    std::vector<pintle::StatusCondition> conditions{};
    static constexpr auto fields() {
      return pintle::fields(
          pintle::field("observedGeneration", &Status::observed_generation,
                        "The metadata.generation that this status describes."),
          pintle::field("freeSeats", &Status::free_seats, "Number of free seats.").column("Free"),
          pintle::field("conditions", &Status::conditions, "The current conditions.").column("Ready"));
    }
  };
  pintle::Metadata metadata{};
  Spec spec{};
  Status status{};
};

pintle::Outcome seat(const Team& team, pintle::Context& ctx) {
  const auto members = static_cast<std::int64_t>(team.spec.members.size());
  const std::int64_t left = team.spec.seats - members;
  const std::string count = std::to_string(members) + " members, " + std::to_string(team.spec.seats) + " seats";

  // The changes are collected and written once, when the reconcile ends, if anything differs. Members that other
  // clients wrote are kept.
  ctx.status().set(
      Team::Status{.observed_generation = team.metadata.generation, .free_seats = std::max<std::int64_t>(left, 0)});
  if (left >= 0) {
    ctx.status().set_condition(
        {.type = "Ready", .status = pintle::ConditionStatus::true_, .reason = "AllSeated", .message = count});
  } else {
    ctx.status().set_condition(
        {.type = "Ready", .status = pintle::ConditionStatus::false_, .reason = "TooFewSeats", .message = count});
  }
  return pintle::done;
}

pintle::Controller<Team> teams() {
  // The generation counts changes of the spec, so writes of status, labels or annotations cause no reconcile.
  return {.predicate = pintle::generation_changed(), .reconcile = seat};
}

int main(int argc, char** argv) {
  pintle::Manager manager{{.name = "status-operator", .args = {argc, argv}}};
  manager.add(teams());
  return pintle::run_until_signal(manager);
}
