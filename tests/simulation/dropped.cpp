// SPDX-License-Identifier: Apache-2.0
// Operators that rely on writes of which the server drops a part without an error.
#include <set>

#include "booth.hpp"
#include "wrong_operators.hpp"

namespace pintle::wrong_operators {
namespace {

using testkit::Oracle;

// Writes the status to the object itself, and not to its subresource.
Outcome sends_status_to_object(const Booth& booth, Context& ctx) {
  if (const auto made = ensure(ctx, card_of(booth)); !made) return failed(made.error());
  const json::Value patch{{"status", {{"phase", "made"}}}};
  return ctx.client().patch(booth_kind, booth.metadata.key(), patch);
}

// Writes a note of the spec together with the status.
Outcome sends_spec_to_status(const Booth& booth, Context& ctx) {
  if (const auto made = ensure(ctx, card_of(booth)); !made) return failed(made.error());
  if (booth.status && booth.status->phase) return done;
  const json::Value patch{{"spec", {{"note", "of " + booth.metadata.name}}}, {"status", {{"phase", "made"}}}};
  return ctx.client().patch(booth_kind, booth.metadata.key(), patch, {.subresource = "status"});
}

// Writes its finalizer together with the status, so that the clean-up is never called.
Outcome sends_finalizer_to_status(const Booth& booth, Context& ctx) {
  if (const auto made = ensure(ctx, card_of(booth)); !made) return failed(made.error());
  if (booth.status && booth.status->phase) return done;
  const json::Value patch{{"metadata", {{"finalizers", json::array{"fair.example.com/card"}}}},
                          {"status", {{"phase", "made"}}}};
  return ctx.client().patch(booth_kind, booth.metadata.key(), patch, {.subresource = "status"});
}

// Stores the colour in a member that the schema does not have.
Outcome sends_unknown_field(const Booth& booth, Context& ctx) {
  if (const auto made = ensure(ctx, card_of(booth)); !made) return failed(made.error());
  if (booth.status && booth.status->phase) return done;
  return set_status(ctx, booth, {{"phase", "made"}, {"colour", "red"}});
}

}  // namespace

std::vector<WrongOperator> wrong_dropped_writes() {
  const std::set<Oracle> dropped{Oracle::nothing_dropped};
  return {
      {.name = "SendsStatusToObject", .expected = dropped, .setup = with_reconcile(sends_status_to_object)},
      {.name = "SendsSpecToStatus", .expected = dropped, .setup = with_reconcile(sends_spec_to_status)},
      {.name = "SendsFinalizerToStatus", .expected = dropped, .setup = with_reconcile(sends_finalizer_to_status)},
      {.name = "SendsUnknownField", .expected = dropped, .setup = with_reconcile(sends_unknown_field)},
  };
}

}  // namespace pintle::wrong_operators
