// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <pintle/manager/timer.hpp>

#include "controller/test_support.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Records the times of the calls in seconds, from the creation of the note.
class TimersTest : public OperatorTest {
 protected:
  void run_timer(Timer<Note> timer) {
    if (!timer.body) {
      timer.body = [this](const Note&, Context& ctx) -> Outcome {
        note_call(ctx);
        return done;
      };
    }
    start([&](Manager& manager) { add_timer(manager, std::move(timer)); });
    instance->join();
    ASSERT_TRUE(instance->started()) << instance->started().error().to_string();
    begun = simulation.executor().now();
    create(note("a"));
  }
  void note_call(Context& ctx) {
    calls.push_back(std::chrono::duration_cast<std::chrono::seconds>(ctx.executor().now() - begun + 500ms).count());
  }
  void pass(Duration time) { simulation.executor().sleep_for(time); }

  Instant begun{};
  std::vector<long> calls;
};

TEST_F(TimersTest, CallsAtTheIntervalAndNotAfterChanges) {
  run_timer({.interval = 60s});
  pass(30s);
  set_text("a", "b");
  pass(170s);
  EXPECT_THAT(calls, ElementsAre(0, 60, 120, 180));
  ASSERT_TRUE(simulation.user().remove(Note::type, {"default", "a"}));
  pass(1h);
  EXPECT_EQ(calls.size(), 4U);
}

TEST_F(TimersTest, WaitsForTheInitialDelay) {
  run_timer({.interval = 60s, .initial_delay = 10s});
  pass(100s);
  EXPECT_THAT(calls, ElementsAre(10, 70));
}

TEST_F(TimersTest, AnIdleTimerWaitsUntilTheObjectHasNotChangedForSoLong) {
  run_timer({.interval = 60s, .idle = 20s});
  pass(10s);
  set_text("a", "b");  // at 10
  pass(75s);
  EXPECT_THAT(calls, ElementsAre(30));
  set_text("a", "c");  // at 85
  pass(75s);
  EXPECT_THAT(calls, ElementsAre(30, 105)) << "the interval ended at 90, but the object had changed";
  for (int i = 0; i < 10; ++i) {
    set_text("a", std::to_string(i));
    pass(15s);
  }
  EXPECT_EQ(calls.size(), 2U) << "an object that changes often is not idle";
  pass(10s);
  EXPECT_EQ(calls.size(), 3U);
}

TEST_F(TimersTest, TheIntervalFollowsTheEndOfACallUnlessTheTimerIsSharp) {
  for (const bool sharp : {false, true}) {
    calls.clear();
    run_timer({.interval = 60s, .sharp = sharp, .body = [this](const Note&, Context& ctx) -> Outcome {
                 note_call(ctx);
                 ctx.executor().sleep_for(calls.size() == 2 ? 90s : 10s);
                 return done;
               }});
    pass(260s);
    if (sharp) {
      EXPECT_THAT(calls, ElementsAre(0, 60, 180, 240)) << "the time 120 is left out";
    } else {
      EXPECT_THAT(calls, ElementsAre(0, 70, 220));
    }
    ASSERT_TRUE(simulation.user().remove(Note::type, {"default", "a"}));
    instance.reset();
  }
}

TEST_F(TimersTest, AFailureIsRetriedWithTheBackOffOfTheTimer) {
  run_timer({.interval = 600s,
             .body = [this](const Note&, Context& ctx) -> Outcome {
               note_call(ctx);
               if (calls.size() == 4) return make_error(ErrorCode::invalid, "never").terminal();
               if (calls.size() == 5) return requeue_after(5s);
               if (calls.size() < 3) return make_error(ErrorCode::unavailable, "no");
               if (calls.size() == 3) throw std::runtime_error("odd");
               return done;
             },
             .backoff = {.base = 10s, .factor = 2, .cap = 300s}});
  pass(1300s);
  EXPECT_THAT(calls, ElementsAre(0, 10, 30, 70, 670, 675, 1275));
}

TEST_F(TimersTest, CallsOnlyWhileTheObjectMatches) {
  run_timer({.when = [](const Note& one) { return one.spec.text == "on"; }, .interval = 60s, .initial_delay = 10s});
  pass(100s);
  EXPECT_THAT(calls, IsEmpty());
  set_text("a", "on");  // at 100
  pass(100s);
  set_text("a", "off");
  pass(100s);
  EXPECT_THAT(calls, ElementsAre(110, 170));
}

TEST_F(TimersTest, ReportsAnInvalidDeclaration) {
  start([](Manager& manager) { add_timer(manager, Timer<Note>{.interval = 1ms}); });
  instance->join();
  ASSERT_FALSE(instance->started());
  const std::string text = instance->started().error().to_string();
  EXPECT_NE(text.find(".interval below 10ms"), std::string::npos) << text;
}

}  // namespace
}  // namespace pintle
