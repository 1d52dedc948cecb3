// SPDX-License-Identifier: Apache-2.0
// Operators that work without need or without limit.
#include <map>
#include <memory>
#include <utility>

#include "booth.hpp"
#include "wrong_operators.hpp"

namespace pintle::wrong_operators {
namespace {

using namespace std::chrono_literals;
using testkit::Oracle;

// Writes the time of each reconcile to the status.
Outcome writes_time(const Booth&, Context& ctx) {
  ctx.status().set("/phase", number(ctx.executor().now().time_since_epoch().count()));
  return done;
}

// Writes an annotation to its own object in each reconcile.
Outcome annotates_itself(const Booth& booth, Context& ctx) {
  const Object& object = booth.metadata.snapshot();
  const std::string mark(object.annotation("fair.example.com/mark"));
  const json::Value patch{{"metadata", {{"annotations", {{"fair.example.com/mark", mark == "x" ? "y" : "x"}}}}}};
  const auto patched = ctx.client().patch(booth_kind, booth.metadata.key(), patch);
  return patched ? Outcome(done) : failed(patched.error());
}

// Waits for an object that does not come, without a pause.
Outcome polls_without_pause(const Booth& booth, Context& ctx) {
  if (const auto made = ensure(ctx, card_of(booth)); !made) return failed(made.error());
  const auto other = ctx.client().get(card_kind, {booth.metadata.namespace_, "missing"});
  return other ? Outcome(done) : Outcome(requeue_after(300ms));
}

// Reads its child from the cache five times a second.
Outcome spins(const Booth& booth, Context& ctx) {
  const auto card = ctx.find(card_kind, booth.metadata.key());
  if (!card) return failed(card.error());
  if (*card && (**card)["/data"] == Object(card_of(booth))["/data"]) return requeue_after(200ms);
  const auto made = ensure(ctx, card_of(booth));
  return made ? Outcome(requeue_after(200ms)) : failed(made.error());
}

// Tries again after a second, for ever.
Outcome requeues_at_once(const Booth& booth, Context& ctx) {
  const auto made = ensure(ctx, card_of(booth));
  return made ? Outcome(done) : Outcome(requeue_after(1s));
}

// Records each failed attempt in an Event of its own, without the limits of Context::event().
Controller<Booth> new_event_each_time() {
  const auto attempts = std::make_shared<std::int64_t>(0);
  Controller<Booth> controller = owner_of_cards([attempts](const Booth& booth, Context& ctx) -> Outcome {
    const auto made = ensure(ctx, card_of(booth));
    if (made) return done;
    (void)ctx.client().create({{"apiVersion", "v1"},
                               {"kind", "Event"},
                               {"metadata", {{"generateName", "attempt-"}, {"namespace", booth.metadata.namespace_}}},
                               {"involvedObject",
                                {{"apiVersion", Booth::type.api_version},
                                 {"kind", Booth::type.kind},
                                 {"namespace", booth.metadata.namespace_},
                                 {"name", booth.metadata.name}}},
                               {"type", "Warning"},
                               {"reason", "Attempt" + number(++*attempts)},
                               {"message", made.error().message}});
    return requeue_after(15s);
  });
  controller.rbac_rules.push_back({"", "events", {"create"}});
  return controller;
}

// Calls an outside system every second while it fails.
testkit::SubjectSetup with_outside(std::function<Outcome(testkit::CallRecorder&, const Booth&, Context&)> reconcile) {
  return [reconcile = std::move(reconcile)](testkit::Subject& subject) {
    const auto outside = std::make_shared<testkit::CallRecorder>(subject.simulation.executor());
    subject.outside = {outside.get()};
    subject.add_controllers = [outside, reconcile](Manager& manager) {
      manager.add(owner_of_cards([outside, reconcile](const Booth& booth, Context& ctx) -> Outcome {
        return reconcile(*outside, booth, ctx);
      }));
    };
  };
}
Outcome calls_every_second(testkit::CallRecorder& outside, const Booth& booth, Context& ctx) {
  const auto called = outside.call("show", booth.metadata.name, booth.spec.title, {}, ctx.stop_token());
  if (!called) return requeue_after(1s);
  return ensure(ctx, card_of(booth));
}

// Repeats a call within one reconcile until it succeeds.
Outcome calls_in_a_loop(testkit::CallRecorder& outside, const Booth& booth, Context& ctx) {
  while (!outside.call("show", booth.metadata.name, booth.spec.title, {}, ctx.stop_token())) {
    if (!ctx.executor().sleep_for(500ms, ctx.stop_token())) return failed(make_error(ErrorCode::cancelled, "stop"));
  }
  return ensure(ctx, card_of(booth));
}

// Polls the server every second although nothing fails.
Outcome writes_every_second(const Booth& booth, Context& ctx) {
  json::Value card = card_of(booth);
  card.as_object()["data"].as_object()["beat"] = number(ctx.executor().now().time_since_epoch().count());
  if (const auto made = ensure(ctx, card); !made) return failed(made.error());
  return requeue_after(1s);
}

// Two controllers write one field, each its own value. The short sleep lets virtual time pass.
Controller<Booth> paints(const std::string& colour) {
  Controller<Booth> controller = owner_of_cards([colour](const Booth& booth, Context& ctx) -> Outcome {
    json::Value card = card_of(booth);
    card.as_object()["data"] = json::object{{"colour", colour}};
    (void)ctx.executor().sleep_for(50ms, ctx.stop_token());
    return ensure(ctx, card);
  });
  controller.name = "paints-" + colour;
  return controller;
}
void two_paint(testkit::Subject& subject) {
  subject.add_controllers = [](Manager& manager) {
    manager.add(paints("red"));
    manager.add(paints("blue"));
  };
}

// Two controllers have children of one kind, and each deletes those that it has not created.
Controller<Booth> keeps_only(const std::string& part) {
  Controller<Booth> controller = owner_of_cards([part](const Booth& booth, Context& ctx) -> Outcome {
    const std::string name = booth.metadata.name + "-" + part;
    (void)ctx.executor().sleep_for(50ms, ctx.stop_token());
    const auto cards = ctx.list_owned(card_kind);
    if (!cards) return failed(cards.error());
    for (const Object& card : *cards) {
      if (card.name() == name) continue;
      if (const auto removed = ctx.remove(card); !removed) return failed(removed.error());
    }
    return ensure(ctx, card_of(booth, name));
  });
  controller.name = "keeps-" + part;
  return controller;
}
void two_delete(testkit::Subject& subject) {
  subject.add_controllers = [](Manager& manager) {
    manager.add(keeps_only("left"));
    manager.add(keeps_only("right"));
  };
}

}  // namespace

std::vector<WrongOperator> wrong_loops() {
  const std::set<Oracle> again{Oracle::stays_idle, Oracle::becomes_idle};
  const std::set<Oracle> bounded{Oracle::bounded_work};
  const testkit::SimulateOptions impatient{.max_time_to_idle = 2min};
  return {
      {.name = "WritesTime", .expected = again, .setup = with_reconcile(writes_time)},
      {.name = "AnnotatesItself", .expected = again, .setup = with_reconcile(annotates_itself)},
      {.name = "PollsWithoutPause", .expected = bounded, .setup = with_reconcile(polls_without_pause)},
      {.name = "Spins", .expected = bounded, .setup = with_reconcile(spins)},
      {.name = "RequeuesAtOnce", .expected = bounded, .setup = with_reconcile(requeues_at_once)},
      {.name = "NewEventEachTime", .expected = bounded, .setup = with_controller(new_event_each_time)},
      {.name = "CallsEverySecond", .expected = bounded, .setup = with_outside(calls_every_second)},
      {.name = "CallsInALoop", .expected = bounded, .setup = with_outside(calls_in_a_loop)},
      {.name = "WritesEverySecond",
       .expected = again,
       .options = impatient,
       .setup = with_reconcile(writes_every_second)},
      {.name = "TwoPaint", .expected = again, .options = impatient, .setup = two_paint},
      {.name = "TwoDelete", .expected = again, .options = impatient, .setup = two_delete},
  };
}

}  // namespace pintle::wrong_operators
