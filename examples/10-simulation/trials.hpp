// SPDX-License-Identifier: Apache-2.0
// The trials of the operator: its fake, and what must hold.
#pragma once

#include <memory>
#include <string>

#include <pintle/testing/flaky.hpp>
#include <pintle/testing/simulate.hpp>

#include "incidents.hpp"

/// The fake behind a network that fails.
class FlakyTickets final : public Tickets {
 public:
  explicit FlakyTickets(pintle::Executor& executor) : flaky(executor) {}
  pintle::Result<std::int64_t> open(const std::string& reference, const std::string& title) override {
    return flaky.call("open", &TicketsInMemory::open, reference, title);
  }
  pintle::Result<std::int64_t> find(const std::string& reference) override {
    return flaky.call("find", &TicketsInMemory::find, reference);
  }
  pintle::Result<void> close(std::int64_t number) override {
    return flaky.call("close", &TicketsInMemory::close, number);
  }

  pintle::testkit::Flaky<TicketsInMemory> flaky;
};

using AddIncidents = void (*)(pintle::Manager&, Tickets&);

inline pintle::testkit::SubjectSetup trials_of(AddIncidents add) {
  return [add](pintle::testkit::Subject& subject) {
    const auto tickets = std::make_shared<FlakyTickets>(subject.simulation.executor());
    subject.add_controllers = [add, tickets](pintle::Manager& manager) { add(manager, *tickets); };
    subject.outside = {&tickets->flaky.calls()};
    subject.assigned = {"/status/ticket"};
    subject.invariants = {
        {.name = "each incident has one open ticket", .check = [tickets](pintle::Client& user) -> pintle::Result<void> {
           const auto incidents = user.list(Incident::type);
           if (!incidents) return pintle::fail(incidents.error());
           const std::size_t open = tickets->flaky.fake().count_open();
           if (open == incidents->items.size()) return {};
           return pintle::fail(pintle::ErrorCode::invalid, std::to_string(incidents->items.size()) + " incidents and " +
                                                               std::to_string(open) + " open tickets");
         }}};
  };
}
