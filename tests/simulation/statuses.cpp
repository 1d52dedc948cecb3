// SPDX-License-Identifier: Apache-2.0
// Operators whose status is not true.
#include <map>
#include <memory>
#include <utility>

#include "booth.hpp"
#include "wrong_operators.hpp"

namespace pintle::wrong_operators {
namespace {

using testkit::Oracle;

void report(Context& ctx, const Booth& booth, bool is_ready) {
  ctx.status().set_condition({.type = "Ready",
                              .status = is_ready ? ConditionStatus::true_ : ConditionStatus::false_,
                              .reason = is_ready ? "Made" : "Failed"});
  ctx.status().set("/observedGeneration", booth.metadata.generation);
}

// Sets Ready before the work.
Outcome ready_before_work(const Booth& booth, Context& ctx) {
  report(ctx, booth, true);
  return ensure(ctx, card_of(booth));
}

// Sets Ready although the work has failed.
Outcome ready_after_failure(const Booth& booth, Context& ctx) {
  const auto made = ensure(ctx, card_of(booth));
  report(ctx, booth, true);
  return made ? Outcome(done) : failed(made.error());
}

// Sets Ready once, and never removes it.
Outcome stays_ready(const Booth& booth, Context& ctx) {
  if (const auto made = ensure(ctx, card_of(booth)); !made) return failed(made.error());
  const json::Value ready{{"type", "Ready"},
                          {"status", "True"},
                          {"reason", "Made"},
                          {"message", ""},
                          {"lastTransitionTime", "2026-01-01T00:00:00Z"}};
  if (booth.status && is_condition_true(booth.status->conditions, "Ready")) return done;
  return set_status(ctx, booth, {{"conditions", json::array{ready}}});
}

// Sets observedGeneration at the first reconcile only.
Outcome observes_once(const Booth& booth, Context& ctx) {
  if (const auto made = ensure(ctx, card_of(booth)); !made) return failed(made.error());
  if (!booth.status || !booth.status->observed_generation) {
    ctx.status().set("/observedGeneration", booth.metadata.generation);
  }
  return done;
}

// Sets Ready without its generation.
Outcome never_observes(const Booth& booth, Context& ctx) {
  if (const auto made = ensure(ctx, card_of(booth)); !made) return failed(made.error());
  ctx.status().set("/phase", "ready");
  return done;
}

// Sets observedGeneration from an object that it has read once.
Controller<Booth> observes_old_object() {
  const auto seen = std::make_shared<std::map<std::string, std::int64_t>>();
  return owner_of_cards([seen](const Booth& booth, Context& ctx) -> Outcome {
    if (const auto made = ensure(ctx, card_of(booth)); !made) return failed(made.error());
    const auto generation = seen->emplace(booth.metadata.uid, booth.metadata.generation).first->second;
    ctx.status().set("/observedGeneration", generation);
    return done;
  });
}

// Writes the status only if the work has changed something: the write is never repeated after a failure.
Outcome status_only_after_change(const Booth& booth, Context& ctx) {
  const auto found = ctx.live().find(card_kind, booth.metadata.key());
  if (!found) return failed(found.error());
  if (*found && (**found)["/data"] == Object(card_of(booth))["/data"]) return done;
  if (const auto made = ensure(ctx, card_of(booth)); !made) return failed(made.error());
  return set_status(ctx, booth, {{"phase", booth.spec.title}, {"observedGeneration", booth.metadata.generation}});
}

}  // namespace

std::vector<WrongOperator> wrong_statuses() {
  const std::set<Oracle> current{Oracle::status_is_current};
  return {
      {.name = "ReadyBeforeWork", .expected = {Oracle::honest_status}, .setup = with_reconcile(ready_before_work)},
      {.name = "ReadyAfterFailure", .expected = {Oracle::honest_status}, .setup = with_reconcile(ready_after_failure)},
      {.name = "StaysReady", .expected = {Oracle::honest_status}, .setup = with_reconcile(stays_ready)},
      {.name = "ObservesOnce", .expected = current, .setup = with_reconcile(observes_once)},
      {.name = "NeverObserves", .expected = current, .setup = with_reconcile(never_observes)},
      {.name = "ObservesOldObject",
       .expected = {Oracle::status_is_current, Oracle::stays_idle, Oracle::same_state, Oracle::returns,
                    Oracle::matches_spec},
       .setup = with_controller(observes_old_object)},
      {.name = "StatusOnlyAfterChange",
       .expected = {Oracle::status_is_current, Oracle::same_state, Oracle::returns, Oracle::matches_spec},
       .setup = with_reconcile(status_only_after_change)},
  };
}

}  // namespace pintle::wrong_operators
