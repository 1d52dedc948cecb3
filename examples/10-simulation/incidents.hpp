// SPDX-License-Identifier: Apache-2.0
// An operator that opens a ticket for each Incident, in two versions: the first one has an error that only a crash
// shows.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include <pintle/pintle.hpp>

#include "tickets.hpp"

struct Incident {
  static constexpr pintle::Type type{"demo.pintle.dev/v1", "Incident"};
  struct Spec {
    std::string title = "something is broken";
    static constexpr auto fields() {
      return pintle::fields(pintle::field("title", &Spec::title, "Title of the ticket."));
    }
  };
  struct Status {
    std::int64_t ticket = 0;
    static constexpr auto fields() {
      return pintle::fields(pintle::field("ticket", &Status::ticket, "Number of the ticket.").column("Ticket"));
    }
  };
  pintle::Metadata metadata{};
  Spec spec{};
  Status status{};
};

/// The status shows which ticket was opened. Wrong: if the process ends before the status is written, the next one
/// opens a second ticket, and nothing closes the first one.
inline void add_careless(pintle::Manager& manager, Tickets& tickets) {
  const auto open = [&tickets](const Incident& incident, pintle::Context& ctx) -> pintle::Outcome {
    if (incident.status.ticket != 0) return pintle::done;
    const auto number = tickets.open("", incident.spec.title);
    if (!number) return pintle::fail(number.error());
    ctx.status().set(Incident::Status{.ticket = *number});
    return pintle::done;
  };
  const auto close = [&tickets](const Incident& incident, pintle::Context&) -> pintle::Outcome {
    return tickets.close(incident.status.ticket);
  };
  manager.add(
      pintle::Controller<Incident>{.reconcile = open, .finalize = close, .finalizer = "demo.pintle.dev/ticket"});
}

/// The uid of the object is the reference of its ticket, so that it can be found without the status.
inline void add_careful(pintle::Manager& manager, Tickets& tickets) {
  const auto open = [&tickets](const Incident& incident, pintle::Context& ctx) -> pintle::Outcome {
    const auto number = tickets.open(incident.metadata.uid, incident.spec.title);
    if (!number) return pintle::fail(number.error());
    ctx.status().set(Incident::Status{.ticket = *number});
    return pintle::done;
  };
  const auto close = [&tickets](const Incident& incident, pintle::Context&) -> pintle::Outcome {
    const auto number = tickets.find(incident.metadata.uid);
    if (!number) return pintle::fail(number.error());
    return tickets.close(*number);
  };
  manager.add(
      pintle::Controller<Incident>{.reconcile = open, .finalize = close, .finalizer = "demo.pintle.dev/ticket"});
}
