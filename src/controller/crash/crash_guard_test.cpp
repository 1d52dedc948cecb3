// SPDX-License-Identifier: Apache-2.0
#include "crash_guard.hpp"

#include <deque>
#include <map>

#include <gmock/gmock.h>

#include "controller/runner_test_support.hpp"
#include "controller/test_support.hpp"
#include "crash_test_support.hpp"
#include "manager/debug/debug_commands.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

// An operator with a state directory. Between its runs the tests simulate processes that terminate during a reconcile.
class CrashGuardTest : public OperatorTest {
 protected:
  CrashGuardTest() {
    run_operator();
    create(note("a"));
    create(note("b"));
    run_until_idle();
    instance->stop();
    reconciles.clear();
  }

  // Starts the operator, which counts the reconciles of each note.
  void run_operator() {
    run(controller(), {.state_dir = dir});
    began = simulation.executor().now();
  }
  Controller<Note> controller(int workers = 1) {
    return {.name = "note",
            .reconcile = [this](const Note& n, Context&) -> Outcome {
              ++reconciles[n.metadata.name];
              in_work = text_of_file(dir + "/in-work");
              return done;
            },
            .workers = workers};
  }
  void run_until_idle() { ASSERT_TRUE(simulation.run_until_idle(1s)); }
  void run_until(Duration age) { simulation.executor().sleep_until(began + age); }

  std::unique_ptr<CrashGuard> open_guard() {
    auto opened = CrashGuard::open(dir, {erase_type(controller(2))}, simulation.executor(), Log(), metrics_);
    EXPECT_TRUE(opened) << opened.error().to_string();
    return std::move(*opened);
  }
  // Simulates a process that terminates while these notes are reconciled, as with SIGKILL.
  void crash_on(const std::vector<std::string>& names) {
    const auto guard = open_guard();
    const std::string controller = "note";
    std::deque<CrashGuard::Seat> seats;
    for (const std::string& name : names) {
      const Object object = simulation.user().get(Note::type, {"default", name}).value();
      auto& seat = seats.emplace_back(guard.get(), controller);
      guard->release("note", object.key());  // ends the quarantine
      ASSERT_FALSE(seat.take(object.key(), object));
    }
  }
  void crash_on_a(int times) {
    for (int i = 0; i < times; ++i) crash_on({"a"});
  }
  [[nodiscard]] double held() {
    return instance->manager().metrics().gauge("pintle_quarantined_keys", "", {{"controller", "note"}}).value();
  }
  [[nodiscard]] std::string deaths() const { return text_of_file(dir + "/deaths"); }

  const TemporaryFolder folder_;
  const std::string dir = folder_.path("state");
  MetricsRegistry metrics_;
  std::map<std::string, int> reconciles;
  std::string in_work;  // the file of keys in work, as the last reconcile read it
  Instant began{};
};

TEST_F(CrashGuardTest, QuarantinesAKeyAfterThreeDeathsWhileOthersRun) {
  crash_on_a(3);
  run_operator();
  run_until_idle();
  EXPECT_EQ(reconciles["a"], 0);
  EXPECT_EQ(reconciles["b"], 1);
  EXPECT_EQ(held(), 1);
  EXPECT_EQ(metric("pintle_process_crashes_total"), 1);
  EXPECT_TRUE(
      log->has("a key is in quarantine, because the process repeatedly crashed during its reconciles "
               "controller=note key=default/a"));
  const auto events = simulation.server().objects("events");
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0]["/reason"], "Quarantined");
  EXPECT_EQ(events[0]["/type"], "Warning");
  EXPECT_EQ(events[0]["/involvedObject/name"], "a");
  EXPECT_THAT(std::string(events[0]["/message"].text()), HasSubstr("crashed 3 times in a row"));

  run_until(59s);
  EXPECT_EQ(reconciles["a"], 0);
  run_until(61s);
  EXPECT_EQ(reconciles["a"], 1);
  EXPECT_EQ(held(), 0);
  EXPECT_TRUE(log->has("its crashes no longer count controller=note key=default/a"));
  EXPECT_THAT(deaths(), Not(HasSubstr("note")));
}

TEST_F(CrashGuardTest, TheFileContainsAKeyOnlyWhileItIsInWork) {
  run_operator();
  run_until_idle();
  EXPECT_THAT(in_work, HasSubstr("?\tnote\tdefault\t"));
  EXPECT_THAT(text_of_file(dir + "/in-work"), Not(HasSubstr("note")));
}

TEST_F(CrashGuardTest, TwoDeathsDoNotQuarantineAndAReconcileClearsThem) {
  crash_on_a(2);
  run_operator();
  run_until_idle();
  EXPECT_EQ(reconciles["a"], 1);
  EXPECT_THAT(deaths(), Not(HasSubstr("note")));
  instance->stop();

  crash_on_a(1);
  EXPECT_THAT(deaths(), Not(HasSubstr("note"))) << "counted by the next process";
  run_operator();
  EXPECT_TRUE(log->has("crashed while this key was being reconciled controller=note key=default/a report=none"));
}

TEST_F(CrashGuardTest, AnEditEndsTheQuarantineAMinuteAfterTheStart) {
  crash_on_a(6);
  run_operator();
  run_until(30s);
  simulation.user().patch(Note::type, {"default", "a"}, json::Value{{"metadata", {{"labels", {{"l", "1"}}}}}}).value();
  run_until_idle();
  EXPECT_EQ(reconciles["a"], 0);
  run_until(2min);
  EXPECT_EQ(reconciles["a"], 0) << "a label does not change the spec";
  set_text("a", "corrected");
  run_until_idle();
  EXPECT_EQ(reconciles["a"], 1);
}

TEST_F(CrashGuardTest, AnEditInTheFirstMinuteWaitsForItsEnd) {
  crash_on_a(6);
  run_operator();
  set_text("a", "corrected");
  run_until(59s);
  EXPECT_EQ(reconciles["a"], 0);
  run_until(61s);
  EXPECT_EQ(reconciles["a"], 1);
}

TEST_F(CrashGuardTest, EveryKeyInWorkIsASuspectUntilItsReconcileEnds) {
  for (int i = 0; i < 2; ++i) crash_on({"a", "b"});
  crash_on_a(1);
  run_operator();
  run_until_idle();
  EXPECT_EQ(reconciles["a"], 0);
  EXPECT_EQ(reconciles["b"], 1);
  EXPECT_EQ(held(), 1);
}

TEST_F(CrashGuardTest, ADeletedObjectLeavesTheQuarantineAfterAMinute) {
  crash_on_a(4);
  run_operator();
  run_until_idle();
  ASSERT_TRUE(simulation.user().remove(Note::type, {"default", "a"}));
  run_until_idle();
  EXPECT_EQ(held(), 1) << "a reconcile of a missing object may run code of the user too";
  run_until(61s);
  EXPECT_EQ(held(), 0);
  EXPECT_THAT(deaths(), Not(HasSubstr("note")));
}

TEST_F(CrashGuardTest, ARequestedStopIsNoDeath) {
  {
    const auto guard = open_guard();
    const std::string controller = "note";
    const Object a = simulation.user().get(Note::type, {"default", "a"}).value();
    const Object b = simulation.user().get(Note::type, {"default", "b"}).value();
    CrashGuard::Seat first(guard.get(), controller);
    EXPECT_FALSE(first.take(a.key(), a));
    guard->stop();
    first.leave();
    EXPECT_FALSE(first.take(b.key(), b));
  }
  EXPECT_EQ(StateDir::open(dir).value()->left().all.size(), 0U);
}

TEST_F(CrashGuardTest, ADirectoryIsFreeAgainAfterTheStop) {
  run_operator();
  testkit::Instance other(simulation, {.name = "other", .log_level = LogLevel::off, .state_dir = dir},
                          [&](Manager& manager) { manager.add(controller()); });
  other.start();
  other.join();
  ASSERT_FALSE(other.started());
  EXPECT_EQ(other.started().error().code, ErrorCode::invalid);
  EXPECT_THAT(other.started().error().to_string(), HasSubstr("another process uses it"));
  instance->stop();
  EXPECT_TRUE(StateDir::open(dir));
}

TEST_F(CrashGuardTest, AnUnreadableFileIsReportedAndSetAside) {
  write_file(dir + "/in-work", "garbage");
  write_file(dir + "/deaths", "more of it");
  run_operator();
  run_until_idle();
  EXPECT_EQ(reconciles["a"], 1);
  EXPECT_TRUE(log->has("has an unknown format; the readable lines are used set_aside_as=" + dir + "/in-work.unre"));
  EXPECT_EQ(text_of_file(dir + "/deaths.unreadable"), "more of it");
}

TEST_F(CrashGuardTest, ARequestedReconcileEndsTheQuarantine) {
  crash_on_a(5);
  const auto guard = open_guard();
  RunnerSurroundings around(simulation, Log());
  ControllerRunner runner(erase_type(controller()), around.get(guard.get()), Log());
  const std::string controller = "note";
  const Object a = simulation.user().get(Note::type, {"default", "a"}).value();
  CrashGuard::Seat seat(guard.get(), controller);

  EXPECT_TRUE(seat.take(a.key(), a));
  EXPECT_EQ(reconcile_now(runner, http::parse_target("/?key=default/a")).status, 202);
  EXPECT_FALSE(seat.take(a.key(), a));
}

class FullDiskTest : public OperatorTest {
 protected:
  void run_operator() {
    run({.reconcile = [this](const Note&, Context&) -> Outcome { return ++reconciles, done; }}, {.state_dir = dir});
  }
  [[nodiscard]] double failures() { return state_dir_failures(instance->manager().metrics()).value(); }

  TemporaryFolder folder;
  const std::string dir = folder.path("state");
  int reconciles = 0;
};

TEST_F(FullDiskTest, DoesNotPreventAStart) {
  {
    const FullDisk full;
    run_operator();
    create(note("a"));
    EXPECT_TRUE(simulation.run_until_idle(1s));
  }
  EXPECT_EQ(reconciles, 1);
  EXPECT_EQ(failures(), 1);
  EXPECT_TRUE(log->has("cannot use the state directory"));
}

TEST_F(FullDiskTest, DoesNotStopARunningOperator) {
  run_operator();
  create(note("a"));
  ASSERT_TRUE(simulation.run_until_idle(1s));
  EXPECT_EQ(failures(), 0);
  {
    const FullDisk full;
    for (const char* name : {"b", "c", "d"}) create(note(name));
    EXPECT_TRUE(simulation.run_until_idle(1s));
  }
  EXPECT_EQ(reconciles, 4);
  EXPECT_GE(failures(), 3);
  EXPECT_EQ(log->count("cannot write to the state directory; until it is writable"), 1U);
  set_text("a", "later");
  EXPECT_TRUE(simulation.run_until_idle(1s));
  EXPECT_EQ(log->count("the state directory is writable again"), 1U);
}

}  // namespace
}  // namespace pintle
