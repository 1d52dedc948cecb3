// SPDX-License-Identifier: Apache-2.0
// The watch events of a controller's own writes count as causes, but do not pull a key forward.
#include <algorithm>
#include <optional>

#include <gmock/gmock.h>

#include <pintle/testing/seeds.hpp>

#include "controller/test_support.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;

const GroupVersionKind note_kind{Note::type};

Outcome outage() { return failed(make_error(ErrorCode::unavailable, "not now")); }
Outcome refusal() { return failed(make_error(ErrorCode::invalid, "never").terminal()); }

json::Value annotated(const std::string& name, const std::string& value) {
  return json::Value{{"metadata", {{"annotations", {{"test.pintle.dev/" + name, value}}}}}};
}

class OwnWriteRuleTest : public OperatorTest {
 protected:
  explicit OwnWriteRuleTest(std::uint64_t seed = 1) : OperatorTest(seed) {}
  // Writes a text to an annotation of the object that differs each time.
  void scribble(const ObjectKey& key, Context& ctx, const std::string& annotation = "attempt") {
    ASSERT_TRUE(ctx.client().patch(note_kind, key, annotated(annotation, std::to_string(++texts))));
  }
  // A controller whose every reconcile calls `scribble()`, records the time and returns the result of `outcome`.
  Controller<Note> scribbling(const std::string& annotation = "attempt") {
    return {.reconcile = [this, annotation](const Note& n, Context& ctx) {
      at.push_back(ctx.executor().now());
      rest_if_it_spins(at.size(), ctx);
      scribble(n.metadata.key(), ctx, annotation);
      return outcome();
    }};
  }
  // Without this a test that fails would not end.
  static void rest_if_it_spins(std::size_t reconciles, Context& ctx) {
    if (reconciles > 5'000) ctx.executor().sleep_for(1h);
  }
  [[nodiscard]] Duration gap(std::size_t n) const { return at[n + 1] - at[n]; }
  void advance_time(Duration time) { simulation.executor().sleep_for(time); }

  std::function<Outcome()> outcome = outage;
  std::vector<Instant> at;
  int texts = 0;
};

TEST_F(OwnWriteRuleTest, AForeignChangeIsReconciledAtOnceAndKeepsTheFailures) {
  run(scribbling());
  create(note("a"));
  advance_time(12s);  // the next attempt is 10 s after the twelfth
  ASSERT_EQ(at.size(), 12U);
  const Instant changed = simulation.executor().now();
  set_text("a", "2");
  advance_time(1s);
  ASSERT_EQ(at.size(), 13U);
  EXPECT_LE(at[12] - changed, 100ms);
  advance_time(19s);
  EXPECT_EQ(at.size(), 13U);  // the next attempt is 20.48 s after that one
  advance_time(1s);
  EXPECT_EQ(at.size(), 14U);
}

TEST_F(OwnWriteRuleTest, ASuccessResetsTheBackOff) {
  run(scribbling());
  create(note("a"));
  advance_time(12s);
  ASSERT_EQ(at.size(), 12U);
  outcome = [] { return Outcome(requeue_after(1h)); };
  set_text("a", "2");
  advance_time(1s);
  ASSERT_EQ(at.size(), 13U);
  outcome = outage;
  set_text("a", "3");
  advance_time(1s);
  ASSERT_GE(at.size(), 16U);
  EXPECT_LE(gap(13), 8ms);
  EXPECT_LE(gap(14), 15ms);
}

// The author of the change is identified, because the only worker is busy until the response has arrived.
TEST_F(OwnWriteRuleTest, AnotherControllerOfTheManagerIsForeign) {
  const auto to_busy = std::make_shared<ChannelSource>(simulation.executor());
  const auto to_other = std::make_shared<ChannelSource>(simulation.executor());
  Controller<Note> busy = scribbling();
  busy.channels = {to_busy};
  busy.reconcile = [scribbles = busy.reconcile](const Note& n, Context& ctx) {
    if (n.metadata.name == "a") return scribbles(n, ctx);
    ctx.executor().sleep_for(1s);
    return Outcome(done);
  };
  start([&](Manager& manager) {
    manager.add(std::move(busy));
    manager.add(Controller<Note>{
        .name = "other", .channels = {to_other}, .reconcile = [](const Note& n, Context& ctx) -> Outcome {
          if (ctx.causes().front().source != ReconcileCause::Source::channel) return done;
          return ctx.client().patch(note_kind, n.metadata.key(), annotated("other", "1"));
        }});
  });
  ASSERT_TRUE(simulation.wait_until([&] { return instance->manager().is_ready(); }));
  create(note("a"));
  create(note("b"));
  advance_time(12s);  // the next attempt is 10 s after the twelfth
  ASSERT_EQ(at.size(), 12U);
  to_busy->send({"default", "b"});
  advance_time(500ms);
  to_other->send({"default", "a"});
  advance_time(400ms);
  ASSERT_EQ(at.size(), 12U);
  advance_time(200ms);
  EXPECT_EQ(at.size(), 13U);
}

// The writes of each controller are foreign to the other one, and each change makes the other's key due. They write
// different fields, so there is no dispute.
TEST_F(OwnWriteRuleTest, TwoControllersThatFailAndWriteOneObjectDoNotLoop) {
  for (const auto& failure : {outage, refusal}) {
    SCOPED_TRACE(failure().as_failed()->message);
    outcome = failure;
    at.clear();
    start([&](Manager& manager) {
      for (const char* name : {"one", "two"}) {
        Controller<Note> controller = scribbling(name);
        controller.name = name;
        manager.add(std::move(controller));
      }
    });
    ASSERT_TRUE(simulation.wait_until([&] { return instance->manager().is_ready(); }));
    create(note("a"));
    simulation.wait_until([&] { return at.size() > 2'000; }, 1h);
    EXPECT_GE(at.size(), 40U);
    EXPECT_LE(at.size(), 2 * (20U + 360U + 26U));
    instance.reset();
    ASSERT_TRUE(simulation.user().remove(Note::type, {"default", "a"}));
  }
}

// An object that fails is reconciled at once after each of ten foreign changes, and after ten more, minutes later.
TEST_F(OwnWriteRuleTest, ChangesOfAFailingObjectAreReconciledAtOnce) {
  run(scribbling());
  create(note("a"));
  advance_time(20s);
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 10; ++i) {
      const Instant changed = simulation.executor().now();
      set_text("a", std::to_string(10 * round + i));
      advance_time(1s);
      EXPECT_LE(at.back() - changed, 100ms);
      EXPECT_GE(at.back(), changed);
    }
    advance_time(3min);
  }
}

// More confirmations than a key can hold causes.
TEST_F(OwnWriteRuleTest, ManyWritesOfOneReconcileDoNotCountAsForeign) {
  run({.owns = {ConfigMap::type}, .reconcile = [&](const Note& n, Context& ctx) -> Outcome {
         at.push_back(ctx.executor().now());
         for (int i = 0; i < 40; ++i) {
           scribble(n.metadata.key(), ctx);
           ConfigMap child{.metadata = owned_by(n), .data = {{"text", std::to_string(texts)}}};
           child.metadata.name += "-" + std::to_string(i);
           if (auto applied = ctx.apply(child); !applied) return failed(applied.error());
           ctx.executor().sleep_for(2ms);
         }
         return outage();
       }});
  create(note("a"));
  simulation.wait_until([&] { return at.size() > 100; }, 1h);
  EXPECT_GE(at.size(), 10U);
  EXPECT_LE(at.size(), 22U);
}

TEST_F(OwnWriteRuleTest, ChildrenThatAreRecreatedEachTimeDoNotBreakTheBackOff) {
  run({.owns = {ConfigMap::type}, .reconcile = [&](const Note& n, Context& ctx) -> Outcome {
         at.push_back(ctx.executor().now());
         const ConfigMap child{.metadata = owned_by(n)};
         if (auto removed = ctx.remove(config_map, child.metadata.key()); !removed) return failed(removed.error());
         if (auto made = ctx.client().create(child); !made) return failed(made.error());
         return outage();
       }});
  create(note("a"));
  simulation.wait_until([&] { return at.size() > 100; }, 1h);
  EXPECT_GE(at.size(), 10U);
  EXPECT_LE(at.size(), 22U);
}

// A retry is not a foreign cause. Otherwise each success would start the spacing and the back-off anew, and the next
// failure would follow at once.
TEST_F(OwnWriteRuleTest, WorkThatFailsEverySecondTimeAndWritesDoesNotLoop) {
  outcome = [this] { return texts % 2 == 0 ? Outcome(done) : outage(); };
  run(scribbling());
  create(note("a"));
  simulation.wait_until([&] { return at.size() > 1'000; }, 1h);
  EXPECT_GE(at.size(), 20U);
  EXPECT_LE(at.size(), 60U);
}

// The first of these reconciles follows at once, the next ones after 5 ms, 10 ms and so on.
TEST_F(OwnWriteRuleTest, ReconcilesCausedOnlyByOwnWritesAreSpaced) {
  outcome = [] { return Outcome(done); };
  run(scribbling());
  create(note("a"));
  advance_time(30s);
  ASSERT_GE(at.size(), 12U);
  ASSERT_LE(at.size(), 16U);
  EXPECT_LE(gap(0), 4ms);
  for (std::size_t n = 1; n < 10; ++n) {
    const Duration wanted = controller_backoff.delay(static_cast<unsigned>(n - 1));
    EXPECT_GE(gap(n), wanted) << n;
    EXPECT_LE(gap(n), wanted + 5ms) << n;
  }
  const std::size_t before = at.size();
  set_text("a", "2");
  advance_time(1s);
  ASSERT_GE(at.size(), before + 5);
  EXPECT_LE(gap(before), 4ms);
  EXPECT_LE(gap(before + 1), 10ms);
}

TEST_F(OwnWriteRuleTest, OwnWritesAreSpacedAlsoWithoutABackOff) {
  outcome = [] { return Outcome(done); };
  Controller<Note> controller = scribbling();
  controller.backoff = {.base = 0s, .cap = 0s};
  run(std::move(controller));
  create(note("a"));
  advance_time(1s);
  EXPECT_GE(at.size(), 5U);
  EXPECT_LE(at.size(), 12U);
}

TEST_F(OwnWriteRuleTest, RetriesAreSpacedAlsoWithoutABackOff) {
  run({.reconcile = [&](const Note&, Context& ctx) -> Outcome {
         at.push_back(ctx.executor().now());
         if (at.size() > 1'000) return done;  // otherwise the test would not end without the spacing
         if (at.size() % 2 == 0) return requeue;
         return make_error(ErrorCode::unknown, "it fails");
       },
       .backoff = {.base = 0s, .cap = 0s}});
  create(note("a"));
  advance_time(1s);
  EXPECT_GE(at.size(), 90U);
  EXPECT_LE(at.size(), 102U);
}

TEST_F(OwnWriteRuleTest, AfterATerminalErrorAWriteOfAnotherKeyCausesAReconcile) {
  run({.reconcile = [&](const Note& n, Context& ctx) -> Outcome {
    if (n.metadata.name == "a") {
      at.push_back(ctx.executor().now());
      scribble(n.metadata.key(), ctx);
      return refusal();
    }
    if (n.spec.text == "mend a") scribble({"default", "a"}, ctx);
    return done;
  }});
  create(note("a"));
  create(note("b"));
  advance_time(1min);
  ASSERT_EQ(at.size(), 1U);
  set_text("b", "mend a");
  advance_time(1min);
  EXPECT_EQ(at.size(), 2U);
}

// The response to a write that changes nothing has the version that another client made, and the watch has not
// delivered that version yet (trap 72).
TEST_F(OwnWriteRuleTest, AWriteThatChangesNothingDoesNotHideAForeignChange) {
  // The end of the initial events and the events of the creation and of the first write arrive at once, later ones
  // after 10 s.
  simulation.server().set_faults(
      {.rules = {{.effect = http::StallEvents{.nth = 4, .duration = 10s},
                  .only = RequestMatcher{.verbs = {"watch"}, .resource = "notes.test.pintle.dev"}}}});
  const auto channel = std::make_shared<ChannelSource>(simulation.executor());
  std::vector<std::string> seen;
  run({.channels = {channel}, .reconcile = [&](const Note& n, Context& ctx) -> Outcome {
         seen.push_back(n.spec.text);
         ctx.executor().sleep_for(1s);
         if (auto written = ctx.client().patch(note_kind, n.metadata.key(), annotated("same", "1")); !written) {
           return failed(written.error());
         }
         return refusal();
       }});
  create(note("a", "1"));
  advance_time(5s);
  ASSERT_THAT(seen, ElementsAre("1"));
  channel->send({"default", "a"});
  advance_time(500ms);
  set_text("a", "2");
  advance_time(8s);
  ASSERT_THAT(seen, ElementsAre("1", "1"));  // the event arrives after the response
  advance_time(2min);
  EXPECT_THAT(seen, ElementsAre("1", "1", "2"));
}

TEST_F(OwnWriteRuleTest, AZeroDelayIsAtLeastTenMilliseconds) {
  for (const Duration delay : {Duration(0s), Duration(-1s), Duration(1ns)}) {
    SCOPED_TRACE(format_duration(delay));
    at.clear();
    outcome = [delay] { return Outcome(requeue_after(delay)); };
    run(scribbling());
    create(note("a"));
    advance_time(1s);
    ASSERT_GE(at.size(), 90U);
    EXPECT_LE(at.size(), 103U);
    EXPECT_LE(gap(0), 4ms);
    EXPECT_GE(gap(1), 10ms);
    instance.reset();
    ASSERT_TRUE(simulation.user().remove(Note::type, {"default", "a"}));
  }
}

TEST_F(OwnWriteRuleTest, AResyncIsNotSoonerThanTenMilliseconds) {
  std::size_t reconciles = 0;
  run({.reconcile = [&](const Note&, Context& ctx) -> Outcome {
         rest_if_it_spins(++reconciles, ctx);
         return done;
       },
       .resync_period = 1ns});
  create(note("a"));
  advance_time(1s);
  EXPECT_GE(reconciles, 90U);
  EXPECT_LE(reconciles, 103U);
  instance.reset();
}

TEST_F(OwnWriteRuleTest, ACauseOfAnOwnWriteIsMarked) {
  std::vector<bool> own;
  run({.reconcile = [&](const Note& n, Context& ctx) -> Outcome {
    own.push_back(ctx.causes().front().is_own_write);
    if (own.size() == 1) scribble(n.metadata.key(), ctx);
    return done;
  }});
  create(note("a"));
  advance_time(1min);
  EXPECT_EQ(own, (std::vector<bool>{false, true}));
}

// `every` applies while an object fails too.
TEST_F(OwnWriteRuleTest, AFailingObjectIsReconciledByTheResync) {
  Controller<Note> controller = scribbling();
  controller.resync_period = 1min;
  run(std::move(controller));
  create(note("a"));
  advance_time(1h);
  EXPECT_GE(at.size(), 60U);
  EXPECT_LE(at.size(), 60U + 15U);
}

// One operator, one object with its child, and another client that changes both, with responses and events in any
// order.
class RandomRun : public OwnWriteRuleTest {
 protected:
  void TestBody() override {}

 public:
  explicit RandomRun(std::uint64_t seed) : OwnWriteRuleTest(seed), random_(seed) {}
  void go();

 private:
  Outcome reconcile(const Note& n, Context& ctx);
  void write(const Note& n, Context& ctx);
  Outcome random_outcome(Instant now);
  void change_something();

  Random random_;
  Instant earliest_{};  // when the next reconcile without a foreign cause may begin
  unsigned failures_ = 0;
  int early_ = 0;
  int foreign_ = 0;
  int lost_ = 0;
  int reconciles_ = 0;
  std::string seen_;
};

void RandomRun::write(const Note& n, Context& ctx) {
  const std::string text = std::to_string(++texts);
  const auto take = [&](const auto& result) {
    if (!result) ++lost_;
  };
  switch (random_.below(4)) {
    case 0: take(ctx.client().patch(note_kind, n.metadata.key(), annotated("a", text))); break;
    case 1: {
      json::Value patch = annotated("b", text);
      patch.as_object()["metadata"].as_object()["resourceVersion"] = n.metadata.resource_version;
      // A conflict may mean that the first attempt succeeded and its response was lost.
      take(ctx.client().patch(note_kind, n.metadata.key(), patch));
      break;
    }
    case 2: take(ctx.apply(ConfigMap{.metadata = owned_by(n), .data = {{"text", text}}})); break;
    default: break;
  }
}

Outcome RandomRun::random_outcome(Instant now) {
  switch (random_.below(6)) {
    case 0:
      failures_ = 0;
      earliest_ = {};
      return done;
    case 1:
      failures_ = 0;
      earliest_ = now + 1min;
      return requeue_after(1min);
    case 2:
      failures_ = 0;
      earliest_ = Instant::max();
      return refusal();
    default: earliest_ = now + controller_backoff.delay(failures_++); return outage();
  }
}

Outcome RandomRun::reconcile(const Note& n, Context& ctx) {
  ++reconciles_;
  seen_ = n.spec.text;
  if (ctx.executor().now() < earliest_) ++early_;
  const std::uint64_t writes = random_.below(4);
  for (std::uint64_t i = 0; i < writes; ++i) {
    write(n, ctx);
    ctx.executor().sleep_for(std::chrono::microseconds(random_.below(2000)));
  }
  return random_outcome(ctx.executor().now());
}

void RandomRun::change_something() {
  ++foreign_;
  if (random_.below(3) != 0) {
    set_text("a", "text " + std::to_string(foreign_));
  } else {
    (void)simulation.user().patch(config_map, {"default", "a"}, annotated("foreign", std::to_string(foreign_)));
  }
}

void RandomRun::go() {
  run({.owns = {ConfigMap::type}, .reconcile = [this](const Note& n, Context& ctx) { return reconcile(n, ctx); }});
  instance->transport().set_faults(
      {{.effect = http::Delay{.duration = 3ms, .after_commit = true}, .only = http::is_write, .probability = 0.3},
       {.effect = http::Drop{.after_commit = true}, .only = http::is_write, .probability = 0.05}});
  create(note("a", "first"));
  foreign_ = 1;
  for (int step = 0; step < 30; ++step) {
    advance_time(std::chrono::milliseconds(random_.below(3) == 0 ? random_.below(20'000) : random_.below(20)));
    change_something();
  }
  set_text("a", "last");
  ++foreign_;
  advance_time(5min);
  EXPECT_LE(early_, foreign_ + lost_);
  EXPECT_EQ(seen_, "last");
  EXPECT_GE(reconciles_, 10);
  EXPECT_LE(reconciles_, 400);
  TearDown();
}

// The event of a write makes the other key due before the response to the write arrives.
TEST_F(OwnWriteRuleTest, KeysThatWriteOneWatchedObjectDoNotLoop) {
  for (const bool fails : {true, false}) {
    SCOPED_TRACE(fails);
    int reconciles = 0;
    const auto both = [](const Object&) { return std::vector<ObjectKey>{{"default", "a"}, {"default", "b"}}; };
    run({.watches = {{.kind = ConfigMap::type, .map = both}},
         .reconcile = [&](const Note&, Context& ctx) -> Outcome {
           const auto written = ctx.apply(ConfigMap{.metadata = {.name = "shared", .namespace_ = "default"},
                                                    .data = {{"reconciles", std::to_string(++reconciles)}}});
           if (!written) return failed(written.error());
           if (fails) return failed(make_error(ErrorCode::unavailable, "not now"));
           return done;
         },
         .workers = 2});
    create(note("a"));
    create(note("b"));
    simulation.executor().sleep_for(1h);
    EXPECT_GE(reconciles, 20);
    EXPECT_LE(reconciles, 200);
    const int before = reconciles;
    ASSERT_TRUE(simulation.user().patch(config_map, {"default", "shared"}, annotated("foreign", "x")));
    simulation.executor().sleep_for(1s);
    EXPECT_GE(reconciles, before + 2) << "a foreign change causes a reconcile of both at once";
    instance.reset();
    for (const char* name : {"a", "b"}) {
      ASSERT_TRUE(simulation.user().remove(GroupVersionKind(Note::type), {"default", name}));
    }
    ASSERT_TRUE(simulation.user().remove(config_map, {"default", "shared"}));
  }
}

TEST(OwnWriteRuleProperty, OwnWritesPullNothingForwardAndForeignOnesAreNeverLost) {
  for (const std::uint64_t seed : testkit::seeds({.usual = 150, .sanitized = 10})) {
    SCOPED_TRACE("PINTLE_SEED=" + std::to_string(seed));
    RandomRun one(seed);
    one.go();
    if (::testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace pintle
