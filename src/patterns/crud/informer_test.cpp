// SPDX-License-Identifier: Apache-2.0
// The events that a framework receives, and their times: through watches that break, and by resyncs.
#include <pintle/patterns/crud/framework.hpp>

#include "test_support.hpp"

namespace pintle::crud {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// Objects without a finalizer, so that the framework receives only the events of the cluster.
class CrudInformerTest : public CrudTest {
 protected:
  struct Event {
    std::string what{};  // for example "update a x", with the text of the object
    Instant at{};
  };

  Resource recording() {
    const auto record = [this](const std::string& what) {
      return [this, what](const Note& note, Context& ctx) -> Result<void> {
        events.push_back({what + " " + note.metadata.name + " " + note.spec.text, ctx.executor().now()});
        return {};
      };
    };
    return PlainResource<Note>{
        .name = "recording", .ensure_created = record("update"), .ensure_deleted = record("delete")};
  }
  [[nodiscard]] FrameworkOptions recording_options() {
    return {.name = "notes", .resource_router = router({recording()}), .finalizer = false};
  }
  // The events since the last call.
  std::vector<std::string> recorded() {
    std::vector<std::string> all;
    for (Event& event : std::exchange(events, {})) all.push_back(std::move(event.what));
    return all;
  }
  // Waits for an event. Returns it, and the time until it arrived.
  std::pair<std::string, Duration> next() {
    const Instant begun = simulation.executor().now();
    if (!simulation.wait_until([this] { return !events.empty(); })) return {"nothing", Duration::max()};
    Event event = std::move(events.front());
    events.erase(events.begin());
    return {event.what, event.at - begun};
  }
  [[nodiscard]] double watch_events(const std::string& kind) const {
    return sample("operatorkit_informer_watch_event_total{kind=\"" + kind + "\"}");
  }
  static bool is_watch_of_notes(const http::Request& request) {
    return http::is_watch(request) && request.target.find("/notes") != std::string::npos;
  }

  std::vector<Event> events;
};

// The resync period and the rate wait are kept (T2-22).
TEST_F(CrudInformerTest, KeepsTheResyncPeriodAndTheRateWait) {
  install();
  create(note("a"));
  FrameworkOptions config = recording_options();
  config.resync_period = 10s;
  config.rate_wait = 2s;
  run(std::move(config));
  constexpr Duration tolerance = 100ms;
  const auto expect_next = [&](const std::string& what, Duration in) {
    const auto [recorded, took] = next();
    EXPECT_EQ(recorded, what);
    EXPECT_GE(took, in - tolerance) << what;
    EXPECT_LE(took, in + tolerance) << what;
  };

  expect_next("update a x", 0s);
  simulation.executor().sleep_for(500ms);
  create(note("b"));
  expect_next("update b x", 0s);
  expect_next("update a x", 9500ms);  // 10 s after the last time of this object
  expect_next("update b x", 2s);
  remove("a");
  expect_next("delete a x", 0s);
  expect_next("update b x", 10s);
}

TEST_F(CrudInformerTest, RateWaitSpacesTheObjectsOfTheInitialList) {
  install();
  for (const char* name : {"a", "b", "c", "d"}) create(note(name));
  FrameworkOptions config = recording_options();
  config.rate_wait = 3s;
  run(std::move(config));
  simulation.executor().sleep_for(4s);
  EXPECT_THAT(recorded(), SizeIs(2));
  create(note("new"));
  simulation.executor().sleep_for(100ms);
  EXPECT_THAT(recorded(), ElementsAre("update new x"));
  set_text("d", "changed");
  simulation.executor().sleep_for(100ms);
  EXPECT_THAT(recorded(), ElementsAre("update d changed")) << "a change is delivered at once";
  simulation.executor().sleep_for(10s);
  EXPECT_THAT(recorded(), ElementsAre("update c x"));
}

// All turns together take longer than the resync period.
TEST_F(CrudInformerTest, RateWaitHoldsBeyondTheResyncPeriod) {
  install();
  for (int i = 0; i < 10; ++i) create(note("n" + std::to_string(i)));
  FrameworkOptions config = recording_options();
  config.resync_period = 5s;
  config.rate_wait = 2s;
  run(std::move(config));
  simulation.executor().sleep_for(10min);
  ASSERT_GE(events.size(), 250U);
  for (std::size_t i = 1; i < events.size(); ++i) EXPECT_GE(events[i].at - events[i - 1].at, 2s) << i;
}

// Each event calls its function. In the original, an object that was already being deleted at the start was updated
// (T2-23).
TEST_F(CrudInformerTest, EachEventCallsItsFunction) {
  install();
  Note deleting = note("old");
  deleting.metadata.finalizers = {"example.com/other"};
  create(deleting);
  remove("old");
  // Every event arrives twice, so the second one is for a known object.
  run(recording_options(), {{.effect = http::RepeatEvent{}, .only = is_watch_of_notes}});
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(recorded(), ElementsAre("delete old x"));

  Note kept = note("a");
  kept.metadata.finalizers = {"example.com/other"};
  create(kept);
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(recorded(), ElementsAre("update a x"));
  set_text("a", "new");
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(recorded(), ElementsAre("update a new"));
  remove("a");
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(recorded(), ElementsAre("delete a new"));
  set_finalizers("a", {});
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(recorded(), ElementsAre("delete a new"));
  EXPECT_EQ(sample("operatorkit_informer_cache_size"), 1);
  EXPECT_EQ(watch_events("create"), 1);
  EXPECT_EQ(watch_events("update"), 1);
  EXPECT_EQ(watch_events("delete"), 2);
  simulation.executor().sleep_for(1h);
  for (const std::string& event : recorded())
    EXPECT_EQ(event, "delete old x") << "the resync does not include the deleted object";
}

// Between the break of the watch and the next list, changes are not delivered.
class BrokenWatchTest : public CrudInformerTest {
 protected:
  void break_watch() {
    broken_ = true;
    simulation.executor().sleep_for(5s);
  }
  void repair_watch() { broken_ = false; }
  // Watches end after two seconds, and while they are broken the server does not respond.
  http::FaultPlan faults() {
    const auto is_of_notes = [](const http::Request& request) {
      return request.target.find("/notes") != std::string::npos;
    };
    return {{.effect = http::Drop{}, .only = [this, is_of_notes](const auto& r) { return broken_ && is_of_notes(r); }},
            {.effect = http::TruncateBody{.after = 2s}, .only = is_watch_of_notes}};
  }

 private:
  bool broken_ = false;
};

// The original kept an object that was deleted during an interruption, and updated it with every resync (T2-24).
TEST_F(BrokenWatchTest, AMissedDeletionIsDeliveredOnceWithTheLastState) {
  run(recording_options(), faults());
  create(note("a", "last"));
  ASSERT_TRUE(simulation.wait_until([this] { return !events.empty(); }));
  EXPECT_THAT(recorded(), ElementsAre("update a last"));
  break_watch();
  remove("a");
  simulation.executor().sleep_for(20s);
  EXPECT_THAT(recorded(), IsEmpty());
  repair_watch();
  simulation.executor().sleep_for(1h);
  EXPECT_THAT(recorded(), ElementsAre("delete a last"));
}

// The original recorded a change during an interruption, but did not deliver it before the next resync (T2-25).
TEST_F(BrokenWatchTest, AMissedChangeIsDeliveredAfterwards) {
  run(recording_options(), faults());
  create(note("a", "before"));
  ASSERT_TRUE(simulation.wait_until([this] { return !events.empty(); }));
  EXPECT_THAT(recorded(), ElementsAre("update a before"));
  break_watch();
  set_text("a", "after");
  repair_watch();
  simulation.executor().sleep_for(1min);
  EXPECT_THAT(recorded(), ElementsAre("update a after"));
}

// The original ended the process at the eighth watch error of its lifetime (T2-19).
TEST_F(CrudInformerTest, WatchErrorsDoNotAccumulate) {
  int watches = 0;
  run(recording_options(), {{.effect = http::TruncateBody{.after = 20s, .how = http::TruncateBody::How::reset},
                             .only = [&](const http::Request& r) { return is_watch_of_notes(r) && ++watches > 0; }}});
  create(note("a"));
  ASSERT_TRUE(simulation.wait_until([this] { return !events.empty(); }));
  EXPECT_THAT(recorded(), ElementsAre("update a x"));
  for (int i = 0; i < 20; ++i) {
    simulation.executor().sleep_for(1min);
    (void)recorded();
    set_text("a", std::to_string(i));
    simulation.executor().sleep_for(2min);
    EXPECT_THAT(recorded(), ElementsAre("update a " + std::to_string(i)));
  }
  EXPECT_GT(watches, 20);
  EXPECT_TRUE(instance->manager().is_ready());
}

// The original opened a watch again without a delay (T2-26).
TEST_F(CrudInformerTest, AWatchThatEndsAtOnceIsNotOpenedInALoop) {
  int watches = 0;
  run(recording_options(), {{.effect = http::TruncateBody{.after_bytes = 0, .how = http::TruncateBody::How::end},
                             .only = [&](const http::Request& r) { return is_watch_of_notes(r) && ++watches > 0; }}});
  simulation.executor().sleep_for(10min);
  EXPECT_GT(watches, 10);
  EXPECT_LT(watches, 10 * 60);
}

// An ERROR event is logged and counted, and the watch recovers (T2-29).
TEST_F(CrudInformerTest, AnErrorEventIsLoggedAndCountedAndTheWatchRecovers) {
  const std::string gone =
      R"({"type":"ERROR","object":{"kind":"Status","code":410,"reason":"Expired","message":"old"}})";
  run(recording_options(),
      {{.effect = http::ErrorResponse{.status = 200, .body = gone + "\n"}, .only = is_watch_of_notes, .times = 1}});
  create(note("a"));
  ASSERT_TRUE(simulation.wait_until([this] { return !events.empty(); }));
  EXPECT_THAT(recorded(), ElementsAre("update a x"));
  EXPECT_TRUE(log->has("list or watch of a resource is interrupted"));
  EXPECT_EQ(watch_events("error"), 1);
  EXPECT_EQ(sample("operatorkit_informer_watcher_close_total"), 1);
}

// The original handled a stop only after the wait for the resync, and could then deliver a value that is not an object
// (T2-27).
TEST_F(CrudInformerTest, AStopDuringTheResyncWaitEndsItAtOnce) {
  run(recording_options());
  create(note("a"));
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(recorded(), ElementsAre("update a x"));
  const Instant begun = simulation.executor().now();
  instance->stop();
  EXPECT_LT(simulation.executor().now() - begun, 1s);
  set_text("a", "new");
  simulation.executor().sleep_for(1h);
  EXPECT_THAT(recorded(), IsEmpty());
}

// By default, all objects are resynced every five minutes, without delays between them (T2-28).
TEST_F(CrudInformerTest, ByDefaultAllObjectsAreResyncedEachFiveMinutes) {
  install();
  for (int i = 0; i < 10; ++i) create(note("n" + std::to_string(i)));
  run(recording_options());
  simulation.executor().sleep_for(100ms);
  EXPECT_THAT(recorded(), SizeIs(10));
  EXPECT_EQ(default_resync_period, 5min);
  simulation.executor().sleep_for(default_resync_period - 1s);
  EXPECT_THAT(recorded(), IsEmpty());
  simulation.executor().sleep_for(2s);
  EXPECT_THAT(recorded(), SizeIs(10));
}

// In the original, a failure waited for the resync and was retried then. With only the back-off of a controller, it
// would be retried four times an hour (B16).
TEST_F(CrudInformerTest, AFailingResourceIsRetriedAboutOnceAResync) {
  std::vector<Instant> tries;
  const auto fail_always = [&](const Note&, Context& ctx) -> Result<void> {
    tries.push_back(ctx.executor().now());
    return fail(ErrorCode::unavailable, "try " + std::to_string(tries.size()));
  };
  FrameworkOptions config{.name = "notes",
                          .resource_router = router({PlainResource<Note>{
                              .name = "failing", .ensure_created = fail_always, .ensure_deleted = fail_always}}),
                          .resync_period = 1min};
  run(std::move(config));
  create(note("a"));
  const Instant begun = simulation.executor().now();
  simulation.executor().sleep_for(1h);
  ASSERT_GE(tries.size(), 60U);
  EXPECT_LE(tries.size(), 60U + 20U) << "the first attempts have a short back-off";
  for (std::size_t i = 1; i < tries.size(); ++i) EXPECT_LE(tries[i] - tries[i - 1], 61s) << i;
  EXPECT_LE(simulation.executor().now() - tries.back(), 61s);
  EXPECT_LE(tries.front() - begun, 1s);

  tries.clear();
  remove("a");
  simulation.executor().sleep_for(1h);
  EXPECT_GE(tries.size(), 60U) << "a clean-up is retried as well";
  EXPECT_LE(tries.size(), 60U + 20U);
  TearDown();  // its reconciles use `tries`
}

TEST_F(CrudInformerTest, AJitteredRetryIsNoLaterThanTheResync) {
  std::vector<Instant> tries;
  const auto fail_always = [&](const Note&, Context& ctx) -> Result<void> {
    tries.push_back(ctx.executor().now());
    return fail(ErrorCode::unavailable, "no");
  };
  run({.name = "notes",
       .resource_router = router(
           {PlainResource<Note>{.name = "failing", .ensure_created = fail_always, .ensure_deleted = fail_always}}),
       .resync_period = 1min,
       .controller = {.backoff = {.cap = 1h, .jitter = 1}}});
  create(note("a"));
  simulation.executor().sleep_for(1h);
  ASSERT_GE(tries.size(), 60U);
  EXPECT_LE(tries.size(), 150U);
  for (std::size_t i = 1; i < tries.size(); ++i) EXPECT_LE(tries[i] - tries[i - 1], 61s) << i;
  TearDown();  // its reconciles use `tries`
}

// A resync period of 0 is replaced by the default (T2-28).
TEST_F(CrudInformerTest, AResyncPeriodOfZeroIsTheDefault) {
  FrameworkOptions config = recording_options();
  config.resync_period = Duration::zero();
  run(std::move(config));
  create(note("a"));
  simulation.executor().sleep_for(16min);
  EXPECT_THAT(recorded(), SizeIs(4));
}

}  // namespace
}  // namespace pintle::crud
