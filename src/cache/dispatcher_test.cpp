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
  // Blocks the dispatcher's thread in a function until `let_go()`, so that pushed changes wait.
  void hold() {
    dispatcher.run_after_pending([this] {
      const MutexLock lock(mutex);
      while (held) changed.wait(mutex);
    });
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
  hold();
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
  dispatcher.run_after_pending([this] { text += "then "; });
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

}  // namespace
}  // namespace pintle
