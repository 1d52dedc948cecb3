// SPDX-License-Identifier: Apache-2.0
// Operators that react to a step and not to the state: a step that they do not see, or that is taken back, has no
// effect. Several are bugs of the studies Sieve (OSDI '22) and Acto (SOSP '23).
#include <cstdlib>
#include <map>
#include <memory>
#include <stdexcept>
#include <utility>

#include "booth.hpp"
#include "wrong_operators.hpp"

namespace pintle::wrong_operators {
namespace {

using namespace std::chrono_literals;
using testkit::FaultClass;
using testkit::Oracle;

std::string name_by_title(const Booth& booth) { return booth.metadata.name + "-" + booth.spec.title; }

// A field names the child. The old child stays after a change of the field, also after the deletion of the booth.
Outcome makes_titled_card(const Booth& booth, Context& ctx) {
  return ensure(ctx, without_owner(card_of(booth, name_by_title(booth))));
}
Outcome removes_titled_card(const Booth& booth, Context& ctx) {
  const auto removed = ctx.client().remove(card_kind, {booth.metadata.namespace_, name_by_title(booth)});
  return removed ? Outcome(done) : failed(removed.error());
}
Controller<Booth> leaks_on_rename() {
  Controller<Booth> controller = controller_of(makes_titled_card);
  controller.finalize = removes_titled_card;
  controller.finalizer = "fair.example.com/card";
  return controller;
}

// The same with an owner reference, so that the old child stays as long as the booth.
Outcome keeps_renamed_card(const Booth& booth, Context& ctx) {
  return ensure(ctx, card_of(booth, name_by_title(booth)));
}

// Never scales down (Acto).
Outcome never_scales_down(const Booth& booth, Context& ctx) {
  for (std::int64_t i = 0; i < booth.spec.size; ++i) {
    json::Value table = card_of(booth, booth.metadata.name + "-" + number(i));
    table.as_object()["data"] = json::object{{"table", number(i)}};
    if (const auto made = ensure(ctx, table); !made) return failed(made.error());
  }
  return done;
}

// A field can be set, but not unset (Acto).
Outcome merges_note(const Booth& booth, Context& ctx) {
  const json::Value card = card_of(booth);
  const auto found = ctx.live().find(card_kind, booth.metadata.key());
  if (!found) return failed(found.error());
  if (!*found) {
    if (const auto created = ctx.client().create(card); !created) return failed(created.error());
  }
  json::Value patch{{"data", {{"title", booth.spec.title}}}};
  if (booth.spec.note) patch.as_object()["data"].as_object()["note"] = *booth.spec.note;
  const Object now = *found ? **found : Object(card);
  if (now["/data/title"] == booth.spec.title && (!booth.spec.note || now["/data/note"] == *booth.spec.note))
    return done;
  return ctx.client().patch(card_kind, booth.metadata.key(), patch);
}

// The work depends on a step that only an event shows (Sieve: "unobserved state").
Controller<Booth> counts_steps() {
  const auto steps = std::make_shared<std::map<std::string, bool>>();  // by name: has the title just changed
  Controller<Booth> controller = owner_of_cards([steps](const Booth& booth, Context& ctx) -> Outcome {
    if (const auto made = ensure(ctx,
                                 [&] {
                                   json::Value card = card_of(booth);
                                   card.as_object()["data"] = json::object{{"size", number(booth.spec.size)}};
                                   return card;
                                 }());
        !made) {
      return failed(made.error());
    }
    if (!std::exchange((*steps)[booth.metadata.name], false)) return done;
    return ensure(ctx, card_of(booth, booth.metadata.name + "-renamed"));
  });
  controller.on_change = [steps](const Change& change) {
    if (change.old && change.current && change.old["/spec/title"] != change.current["/spec/title"]) {
      (*steps)[std::string(change.current.name())] = true;
    }
  };
  return controller;
}

// The predicate drops the changes of the spec.
Controller<Booth> drops_changes() {
  Controller<Booth> controller =
      owner_of_cards([](const Booth& booth, Context& ctx) -> Outcome { return ensure(ctx, card_of(booth)); });
  controller.predicate = labels_changed();
  return controller;
}

// Does not watch its children, so that a deleted one does not come back.
Outcome watches_too_little(const Booth& booth, Context& ctx) { return ensure(ctx, card_of(booth)); }

// Deletes the child of a new object of the same name, because an old object of this name was being deleted, as a stale
// read shows (Sieve: cassandra-operator, the deletion of a PVC).
Controller<Booth> ignores_uids() {
  Controller<Booth> controller = controller_of([](const Booth& booth, Context& ctx) -> Outcome {
    if (booth.status && booth.status->phase) return done;
    if (const auto made = ensure(ctx, without_owner(card_of(booth))); !made) return failed(made.error());
    return set_status(ctx, booth, {{"phase", "made"}});
  });
  controller.finalize = [](const Booth& booth, Context& ctx) -> Outcome {
    const auto removed = ctx.client().remove(card_kind, booth.metadata.key());
    return removed ? Outcome(done) : failed(removed.error());
  };
  controller.finalizer = "fair.example.com/card";
  return controller;
}

// Ends its process for a value that the schema allows.
Outcome aborts_at_four(const Booth& booth, Context&) {
  if (booth.spec.size == 4) std::abort();
  return done;
}

// Throws for a value that the schema allows.
Outcome throws_at_four(const Booth& booth, Context& ctx) {
  if (booth.spec.size == 4) throw std::out_of_range("four");
  return ensure(ctx, card_of(booth));
}

// Decides by the wall clock, which an administrator may set.
Outcome expires_by_wall_clock(const Booth& booth, Context& ctx) {
  const auto made = booth.metadata.creation_timestamp;
  if (!made) return done;
  const auto age = ctx.executor().wall_now() - *made;
  if (age < 50min) {
    if (const auto card = ensure(ctx, card_of(booth)); !card) return failed(card.error());
    return requeue_after(50min - age);
  }
  const auto removed = ctx.remove(card_kind, booth.metadata.key());
  return removed ? Outcome(done) : failed(removed.error());
}

}  // namespace

std::vector<WrongOperator> wrong_levels() {
  return {
      {.name = "LeaksOnRename",
       .expected = {Oracle::nothing_left, Oracle::returns, Oracle::matches_spec},
       .setup = with_controller(leaks_on_rename)},
      {.name = "KeepsRenamedCard",
       .expected = {Oracle::same_state, Oracle::returns, Oracle::matches_spec},
       .setup = with_reconcile(keeps_renamed_card)},
      {.name = "NeverScalesDown",
       .expected = {Oracle::same_state, Oracle::returns, Oracle::matches_spec},
       .setup = with_reconcile(never_scales_down)},
      {.name = "CannotUnset",
       .expected = {Oracle::same_state, Oracle::returns, Oracle::matches_spec},
       .options = {.max_edits = 6},
       .setup = with_reconcile(merges_note)},
      {.name = "CountsSteps",
       .expected = {Oracle::same_state, Oracle::returns, Oracle::matches_spec},
       .setup = with_controller(counts_steps)},
      {.name = "DropsChanges",
       .expected = {Oracle::same_state, Oracle::returns, Oracle::matches_spec, Oracle::stays_idle},
       .setup = with_controller(drops_changes)},
      {.name = "WatchesTooLittle",
       .expected = {Oracle::same_state, Oracle::returns, Oracle::matches_spec, Oracle::stays_idle},
       .setup = with_controller([] { return controller_of(watches_too_little); })},
      {.name = "IgnoresUids",
       .expected = {Oracle::same_state, Oracle::returns, Oracle::matches_spec},
       .options = {.max_edits = 6, .max_faults = 6, .faults = {FaultClass::stale_reads}},
       .setup = with_controller(ignores_uids)},
      {.name = "AbortsAtFour", .expected = {Oracle::runs}, .setup = with_reconcile(aborts_at_four)},
      {.name = "ThrowsAtFour", .expected = {Oracle::runs}, .setup = with_reconcile(throws_at_four)},
      {.name = "ExpiresByWallClock",
       .expected = {Oracle::same_state, Oracle::returns, Oracle::matches_spec, Oracle::stays_idle},
       .options = {.faults = {FaultClass::clock}},
       .setup = with_reconcile(expires_by_wall_clock)},
  };
}

}  // namespace pintle::wrong_operators
