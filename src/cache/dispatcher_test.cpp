// SPDX-License-Identifier: Apache-2.0
#include <pintle/cache/dispatcher.hpp>

#include <string>

#include <gtest/gtest.h>

#include <pintle/json/value.hpp>
#include <pintle/sim/simulated_executor.hpp>

namespace pintle {
namespace {

using namespace std::chrono_literals;

Object versioned(const std::string& name, const std::string& version) {
  return Object(json::object{{"metadata", json::object{{"name", name}, {"resourceVersion", version}}}});
}

// Prints a change as "name:old/current"; "a:-/1" means that a was added at version 1.
std::string described(const Change& change) {
  const auto version = [](const Object& o) { return o ? std::string(o.resource_version()) : std::string("-"); };
  return std::string(change.object().name()) + ":" + version(change.old) + "/" + version(change.current) + " ";
}

class DispatcherTest : public ::testing::Test {
 protected:
  // Blocks the lane of a subscription in a function until `let_go()`, so that pushed changes wait.
  void hold() { hold(subscription); }
  void hold(const std::shared_ptr<Dispatcher::Subscription>& one) {
    dispatcher.run_after_pending({one}, [this] {
      const MutexLock lock(mutex);
      while (held) changed.wait(mutex);
    });
    executor.sleep_for(1ms);
  }
  void let_go() {
    const MutexLock lock(mutex);
    held = false;
    changed.notify_all();
  }
  void run_until_idle() {
    while (!dispatcher.is_idle()) executor.sleep_for(1ms);
  }

  SimulatedExecutor executor{{.seed = 5}};
  Mutex mutex{executor};
  CondVar changed{executor};
  bool held = true;
  std::string text;
  Dispatcher dispatcher{executor};
  std::shared_ptr<Dispatcher::Subscription> subscription =
      dispatcher.open({[this](const Change& change) { text += described(change); }});
};

TEST_F(DispatcherTest, DeliversEachChangeInOrder) {
  dispatcher.push(subscription, {.current = versioned("a", "1")});
  run_until_idle();
  dispatcher.push(subscription, {.old = versioned("a", "1"), .current = versioned("a", "2")});
  run_until_idle();
  dispatcher.push(subscription, {.old = versioned("a", "2")});
  run_until_idle();
  EXPECT_EQ(text, "a:-/1 a:1/2 a:2/- ");
}

TEST_F(DispatcherTest, MergesWaitingChangesByKey) {
  hold();
  dispatcher.push(subscription, {.old = versioned("a", "1"), .current = versioned("a", "2")});
  dispatcher.push(subscription, {.current = versioned("b", "1")});
  dispatcher.push(subscription, {.old = versioned("a", "2"), .current = versioned("a", "3")});
  dispatcher.push(subscription, {.old = versioned("a", "3"), .current = versioned("a", "4")});
  let_go();
  run_until_idle();
  EXPECT_EQ(text, "a:1/4 b:-/1 ");
}

TEST_F(DispatcherTest, AMergedChangeContainsTheVersionsBetween) {
  std::map<std::string, std::vector<std::string>> merged_versions;
  const auto noting = dispatcher.open(
      {[&](const Change& change) { merged_versions[std::string(change.object().name())] = change.merged_versions; }});
  hold(noting);
  const auto step = [&](const std::string& name, int n, ChangeCause cause = ChangeCause::change) {
    dispatcher.push(
        noting,
        {.old = versioned(name, std::to_string(n)), .current = versioned(name, std::to_string(n + 1)), .cause = cause});
  };
  for (int n = 1; n < 5; ++n) step("a", n);
  step("alone", 1);
  step("missed", 1);
  step("missed", 2, ChangeCause::missed);
  step("missed", 3);
  for (int n = 1; n < 100; ++n) step("many", n);
  let_go();
  run_until_idle();
  EXPECT_EQ(merged_versions["a"], (std::vector<std::string>{"2", "3", "4"}));
  EXPECT_EQ(merged_versions["alone"], (std::vector<std::string>{}));
  EXPECT_NE(std::find(merged_versions["missed"].begin(), merged_versions["missed"].end(), ""),
            merged_versions["missed"].end());
  EXPECT_NE(std::find(merged_versions["many"].begin(), merged_versions["many"].end(), ""),
            merged_versions["many"].end());
  EXPECT_LE(merged_versions["many"].size(), 33U);
}

TEST_F(DispatcherTest, AnObjectCreatedAndDeletedWhileWaitingIsNotDelivered) {
  hold();
  dispatcher.push(subscription, {.current = versioned("a", "1")});
  dispatcher.push(subscription, {.old = versioned("a", "1")});
  let_go();
  run_until_idle();
  EXPECT_EQ(text, "");
}

TEST_F(DispatcherTest, AnObjectCreatedAndDeletedWhileWaitingIsDeliveredAsDeletedOnRequest) {
  const auto short_lived =
      dispatcher.open({[this](const Change& change) { text += described(change); }}, {}, nullptr, true);
  hold(short_lived);
  dispatcher.push(short_lived, {.current = versioned("a", "1")});
  dispatcher.push(short_lived, {.old = versioned("a", "1"), .current = versioned("a", "2")});
  dispatcher.push(short_lived, {.old = versioned("a", "2")});
  let_go();
  run_until_idle();
  EXPECT_EQ(text, "a:2/- ");
}

// The deletion of an object and the creation of another one with its name merge into one change while they wait. A
// deletion without a later creation is never lost (trap 27).
TEST_F(DispatcherTest, ADeleteAndANewObjectAreOneChange) {
  hold();
  dispatcher.push(subscription, {.old = versioned("a", "1")});
  dispatcher.push(subscription, {.current = versioned("a", "7")});
  dispatcher.push(subscription, {.old = versioned("b", "2"), .current = versioned("b", "3")});
  dispatcher.push(subscription, {.old = versioned("b", "3")});
  let_go();
  run_until_idle();
  EXPECT_EQ(text, "a:1/7 b:2/- ");
}

// A list pushes all of its changes at once. The dispatcher releases that memory afterwards, and the next list must work
// like the first.
TEST_F(DispatcherTest, DeliversThousandsOfChangesInOrderTwice) {
  for (const char* version : {"1", "2"}) {
    std::string expected;
    std::vector<Change> changes;
    for (int i = 0; i < 10'000; ++i) {
      const std::string name = std::to_string(i);
      changes.push_back({.current = versioned(name, version)});
      expected += name + ":-/" + version + " ";
    }
    text.clear();
    dispatcher.push_all(subscription, changes);
    run_until_idle();
    EXPECT_EQ(text, expected);
  }
}

TEST_F(DispatcherTest, RunsAFunctionAfterEarlierChanges) {
  hold();
  dispatcher.push(subscription, {.current = versioned("a", "1")});
  dispatcher.run_after_pending({subscription}, [this] { text += "then "; });
  dispatcher.push(subscription, {.current = versioned("b", "1")});
  let_go();
  run_until_idle();
  EXPECT_EQ(text, "a:-/1 then b:-/1 ");
}

TEST_F(DispatcherTest, StopDropsWaitingChanges) {
  hold();
  dispatcher.push(subscription, {.current = versioned("a", "1")});
  let_go();
  dispatcher.stop();
  dispatcher.push(subscription, {.current = versioned("b", "1")});
  EXPECT_EQ(text.find('b'), std::string::npos);
}

// A resync shows the cache; a change that waits is newer, or the same (trap 28).
TEST_F(DispatcherTest, AResyncDoesNotOverwriteAWaitingChange) {
  std::string causes;
  const auto noting = dispatcher.open({[&](const Change& change) {
    causes += described(change) + (change.cause == ChangeCause::resync ? "resync " : "change ");
    EXPECT_TRUE(change.merged_versions.empty());
  }});
  const auto resync = [](const char* name, const char* version) {
    const Object object = versioned(name, version);
    return Change{.old = object, .current = object, .cause = ChangeCause::resync};
  };
  hold(noting);
  dispatcher.push(noting, {.old = versioned("a", "1"), .current = versioned("a", "2")});
  dispatcher.push(noting, resync("a", "1"));
  dispatcher.push(noting, {.old = versioned("b", "1")});
  dispatcher.push(noting, resync("b", "1"));
  dispatcher.push(noting, resync("c", "1"));
  dispatcher.push(noting, {.old = versioned("c", "1"), .current = versioned("c", "2")});
  dispatcher.push(noting, resync("d", "1"));
  let_go();
  run_until_idle();
  EXPECT_EQ(causes, "a:1/2 change b:1/- change c:1/2 change d:1/1 resync ");
}

// A handler that runs for minutes delays no other one, and what waits for it is bounded by the number of keys
// (trap 34).
TEST_F(DispatcherTest, ASlowHandlerDelaysOnlyItsLane) {
  std::string slow_text;
  const auto slow_lane = dispatcher.open_lane();
  const auto slow = dispatcher.open({[&](const Change& change) {
                                      executor.sleep_for(10min);
                                      slow_text += described(change);
                                    }},
                                    {}, slow_lane);
  for (int i = 1; i < 1000; ++i) {
    const Change change{.old = versioned("a", std::to_string(i)), .current = versioned("a", std::to_string(i + 1))};
    dispatcher.push(slow, change);
    dispatcher.push(subscription, change);
    executor.sleep_for(100ms);
    ASSERT_NE(text.find("/" + std::to_string(i + 1)), std::string::npos) << "waits for the slow handler";
  }
  EXPECT_EQ(dispatcher.backlog(*slow_lane).waiting, 1U);
  EXPECT_GT(dispatcher.backlog(*slow_lane).lag, 90s);
  EXPECT_LE(dispatcher.threads(), 3U);
  run_until_idle();
  EXPECT_EQ(slow_text, "a:1/2 a:2/1000 ");
  EXPECT_EQ(dispatcher.backlog(*slow_lane).lag, Duration::zero());
}

TEST_F(DispatcherTest, ManySlowLanesNeedOneThreadEach) {
  std::vector<std::shared_ptr<Dispatcher::Subscription>> slow;
  int handled = 0;
  for (int i = 0; i < 8; ++i) {
    slow.push_back(dispatcher.open({[&](const Change&) {
      executor.sleep_for(1min);
      ++handled;
    }}));
  }
  for (int round = 0; round < 3; ++round) {
    for (const auto& one : slow) dispatcher.push(one, {.current = versioned("a", "1")});
    executor.sleep_for(1s);
    text.clear();
    dispatcher.push(subscription, {.current = versioned("b", "1")});
    executor.sleep_for(100ms);
    EXPECT_EQ(text, "b:-/1 ");
    run_until_idle();
    EXPECT_EQ(handled, 8 * (round + 1));
  }
  EXPECT_LE(dispatcher.threads(), 10U);
}

// Handlers of one lane see the changes of all sources in their order, and never run at the same time.
TEST(Dispatcher, KeepsTheOrderInALane) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SimulatedExecutor executor({.seed = seed});
    Dispatcher dispatcher(executor);
    const auto lane = dispatcher.open_lane();
    int running = 0;
    std::vector<int> order;
    const auto handler = [&](const Change& change) {
      EXPECT_EQ(++running, 1);
      if (order.size() % 3 == 0) executor.sleep_for(20ms);
      executor.yield();
      order.push_back(std::stoi(std::string(change.object().name())));
      --running;
    };
    const auto one = dispatcher.open({handler}, {}, lane);
    const auto two = dispatcher.open({handler}, {}, lane);
    const auto other = dispatcher.open({[&](const Change&) { executor.sleep_for(15ms); }});
    std::vector<int> expected;
    for (int i = 0; i < 60; ++i) {
      dispatcher.push(i % 2 == 0 ? one : two, {.current = versioned(std::to_string(i), "1")});
      dispatcher.push(other, {.current = versioned(std::to_string(i), "1")});
      expected.push_back(i);
      if (i % 7 == 0) executor.sleep_for(10ms);
    }
    while (!dispatcher.is_idle()) executor.sleep_for(1ms);
    EXPECT_EQ(order, expected) << seed;
  }
}

TEST(Dispatcher, OneLaneNeedsOneThread) {
  SimulatedExecutor executor;
  Dispatcher dispatcher(executor);
  const auto only = dispatcher.open({[](const Change&) {}});
  EXPECT_EQ(dispatcher.threads(), 1U);
}

}  // namespace
}  // namespace pintle
