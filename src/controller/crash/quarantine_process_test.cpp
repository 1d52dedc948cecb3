// SPDX-License-Identifier: Apache-2.0
// Processes that terminate: each test forks several processes of one operator with one state directory.
#include <atomic>
#include <optional>

#include <pintle/testing/seeds.hpp>

#include "controller/process_test_support.hpp"
#include "crash_test_support.hpp"
#include "state_dir.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;
using ::testing::ExitedWithCode;
using ::testing::KilledBySignal;

constexpr auto for_ever = 24h;  // longer than any test

class QuarantineDeathTest : public OperatorProcessDeathTest {
 protected:
  // A child process runs its test from the start, with the directory of its parent.
  QuarantineDeathTest() {
    if (const char* given = std::getenv(variable)) {
      dir_ = given;
      return;
    }
    folder_.emplace();
    dir_ = folder_->path("state");
    ::setenv(variable, dir_.c_str(), 1);
  }
  ~QuarantineDeathTest() override {
    if (folder_) ::unsetenv(variable);
  }

  // A process that reconciles "a" and "b" at the same time and calls `die` on the thread of "a".
  void live_and_die(void (*die)()) const {
    std::atomic<bool> b_is_in_work = false;
    const auto reconcile = [&](const Note& n, Context& context) -> Outcome {
      if (n.metadata.name == "b") {
        b_is_in_work = true;
        context.executor().sleep_for(for_ever, context.stop_token());
        return done;
      }
      while (!b_is_in_work) context.executor().sleep_for(1ms);
      die();
      return done;
    };
    const auto use = [](OperatorUser& user) {
      user.create(note("a"));
      user.create(note("b"));
    };
    std::exit(run_operator(reconcile, {.state_dir = dir_}, use, 2));
  }

  // A later process. Returns 0 if "b" is reconciled, "a" is not, and an Event and a metric report that.
  [[nodiscard]] int live_with_a_held_back() const {
    std::atomic<int> reconciles_of_a = 0;
    std::atomic<int> reconciles_of_b = 0;
    bool has_event = false;
    const auto reconcile = [&](const Note& n, Context&) -> Outcome {
      ++(n.metadata.name == "a" ? reconciles_of_a : reconciles_of_b);
      return done;
    };
    const auto use = [&](OperatorUser& user) {
      user.create(note("a"));
      user.create(note("b"));
      const auto held = user.manager.metrics().gauge("pintle_quarantined_keys", "", {{"controller", "note"}});
      while (reconciles_of_b == 0 || user.server.objects("events").empty()) user.wait();
      has_event = user.server.objects("events")[0]["/reason"] == "Quarantined" && held.value() == 1;
      signal_ourselves(SIGTERM);
    };
    const int code = run_operator(reconcile, {.state_dir = dir_}, use);
    return code != 0 ? code : reconciles_of_a == 0 && has_event ? 0 : 99;
  }

  std::string dir_;

 private:
  static constexpr const char* variable = "PINTLE_TEST_STATE_DIR";
  std::optional<TemporaryFolder> folder_;
};

TEST_F(QuarantineDeathTest, OnlyTheKeyThatAbortsThreeTimesIsQuarantined) {
  for (int i = 0; i < 3; ++i) {
    EXPECT_EXIT(live_and_die([] { std::abort(); }), KilledBySignal(SIGABRT),
                "fatal signal SIGABRT in a reconcile: note\tdefault\ta\t");
  }
  EXPECT_EXIT(std::exit(live_with_a_held_back()), ExitedWithCode(0), "a key is in quarantine");
  const std::string report = text_of_file(dir_ + "/crash-3");
  EXPECT_NE(report.find("SIGABRT in a reconcile: note\tdefault\ta\t"), std::string::npos) << report;
  EXPECT_NE(report.find("abort"), std::string::npos) << "a backtrace: " << report;
}

// SIGKILL does not show which key was the cause, so both keys in work are suspects. The price is that neither of them
// is reconciled while they are held back.
TEST_F(QuarantineDeathTest, AllKeysInWorkOfAKilledProcessAreSuspects) {
  const auto die = [] { signal_ourselves(SIGKILL); };
  EXPECT_EXIT(live_and_die(die), KilledBySignal(SIGKILL), "");
  const auto left = StateDir::open(dir_);
  ASSERT_TRUE(left) << left.error().to_string();
  EXPECT_EQ((*left)->left().all.size(), 2U);
  EXPECT_EQ((*left)->left().named.size(), 0U);
  EXPECT_EQ(text_of_file(dir_ + "/crash-1"), "");
}

[[gnu::noinline]] int recurse(volatile int* depth) {
  volatile int here = *depth + 1;
  if (here < 0) return 0;
  return recurse(&here) + here;
}

TEST_F(QuarantineDeathTest, AStackOverflowIsReported) {
  if (testkit::is_sanitized) GTEST_SKIP() << "a sanitizer ends the process itself at SIGSEGV";
  const auto die = [] {
    volatile int depth = 0;
    recurse(&depth);
  };
  EXPECT_EXIT(live_and_die(die), KilledBySignal(SIGSEGV), "fatal signal SIGSEGV in a reconcile: note\tdefault\ta\t");
  const std::string report = text_of_file(dir_ + "/crash-1");
  EXPECT_GT(std::count(report.begin(), report.end(), '\n'), 50) << "a backtrace: " << report;
}

TEST_F(QuarantineDeathTest, ASignalOutsideAReconcileIsReportedAsSuch) {
  const auto body = [&] {
    std::exit(run_operator([](const Note&, Context&) -> Outcome { return done; }, {.state_dir = dir_},
                           [](OperatorUser& user) {
                             while (!user.manager.is_ready()) user.wait();
                             std::abort();
                           }));
  };
  EXPECT_EXIT(body(), KilledBySignal(SIGABRT), "fatal signal SIGABRT, not in a reconcile");
}

TEST_F(QuarantineDeathTest, AnEndAtTheSecondSignalLeavesNothingInWork) {
  const auto body = [&] {
    std::exit(run_operator(
        [](const Note&, Context& context) -> Outcome {
          signal_ourselves(SIGTERM);
          context.executor().sleep_for(for_ever, context.stop_token());
          signal_ourselves(SIGTERM);
          context.executor().sleep_for(for_ever);
          return done;
        },
        {.state_dir = dir_}));
  };
  EXPECT_EXIT(body(), ExitedWithCode(130), "");
  const auto left = StateDir::open(dir_);
  ASSERT_TRUE(left);
  EXPECT_EQ((*left)->left().all.size(), 0U);
}

TEST_F(QuarantineDeathTest, ASecondProcessIsRefused) {
  const auto first = StateDir::open(dir_);  // succeeds in the parent; fails in the child, which continues
  const auto body = [&] {
    std::exit(
        run_operator([](const Note&, Context&) -> Outcome { return done; }, {.state_dir = dir_}, [](OperatorUser&) {}));
  };
  EXPECT_EXIT(body(), ExitedWithCode(2), "signalled: .*another process uses it");
}

}  // namespace
}  // namespace pintle
