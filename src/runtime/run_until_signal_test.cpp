// run_until_signal as a process of its own: each test forks, and looks at how the child ends.
#include "process_test_support.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;

constexpr auto longest = 24h;  // as long as a test can last

ManagerOptions elected() {
  return {.leader_election = LeaderElectionOptions{.lease_duration = 1s, .renew_deadline = 600ms, .retry_period = 50ms},
          .stop_grace = longest};
}

// Somebody takes the lease by hand.
void seize_lease(Context& context) {
  const auto seized = context.client().patch(Type{"coordination.k8s.io/v1", "Lease"}, {"default", "signalled"},
                                             json::Value{{"spec", {{"holderIdentity", "thief"}}}});
  if (!seized) std::exit(98);
}

using RunUntilSignalDeathTest = OperatorProcessDeathTest;

TEST_F(RunUntilSignalDeathTest, TheFirstSignalStopsWellAndWaitsForThePass) {
  const auto body = [] {
    bool finished = false;
    const int code = run_operator([&](const Note&, Context& context) -> Outcome {
      signal_ourselves(SIGTERM);
      context.runtime().sleep_for(longest, context.stop_token());
      finished = true;
      return settled;
    });
    std::exit(finished ? code : 99);
  };
  EXPECT_EXIT(body(), ::testing::ExitedWithCode(0), "");
}

TEST_F(RunUntilSignalDeathTest, TheSecondSignalEndsAtOnceAPassThatIgnoresTheFirst) {
  const auto body = [] {
    std::exit(run_operator([](const Note&, Context& context) -> Outcome {
      signal_ourselves(SIGINT);
      context.runtime().sleep_for(longest, context.stop_token());
      signal_ourselves(SIGTERM);
      context.runtime().sleep_for(longest);
      return settled;
    }));
  };
  EXPECT_EXIT(body(), ::testing::ExitedWithCode(130), "");
}

TEST_F(RunUntilSignalDeathTest, APassThatIgnoresItsTokenBeyondTheGraceIsNamedAndTheProcessEnds) {
  const auto body = [] {
    std::exit(run_operator(
        [](const Note&, Context& context) -> Outcome {
          signal_ourselves(SIGTERM);
          context.runtime().sleep_for(longest);
          return settled;
        },
        {.stop_grace = 50ms}));
  };
  EXPECT_EXIT(body(), ::testing::ExitedWithCode(1), "signalled: these passes still run .*: note of default/a");
}

// Trap 57.
TEST_F(RunUntilSignalDeathTest, ALostLeaseIsItsOwnExitCode) {
  const auto body = [] {
    std::exit(run_operator(
        [](const Note&, Context& context) -> Outcome {
          seize_lease(context);
          context.runtime().sleep_for(longest, context.stop_token());
          return settled;
        },
        elected()));
  };
  EXPECT_EXIT(body(), ::testing::ExitedWithCode(4), "signalled: lease lost: default/signalled: thief has it");
}

// Trap 63: the grace time is not waited for.
TEST_F(RunUntilSignalDeathTest, APassThatOutlivesItsLeaseEndsWithTheProcessAtOnce) {
  const auto body = [] {
    std::exit(run_operator(
        [](const Note&, Context& context) -> Outcome {
          seize_lease(context);
          context.runtime().sleep_for(longest);
          return settled;
        },
        elected()));
  };
  EXPECT_EXIT(body(), ::testing::ExitedWithCode(4), "these passes still run .*: note of default/a");
}

TEST_F(RunUntilSignalDeathTest, ALeaderThatIsSignalledStopsWell) {
  const auto body = [] {
    std::exit(run_operator(
        [](const Note&, Context&) -> Outcome {
          signal_ourselves(SIGTERM);
          return settled;
        },
        elected()));
  };
  EXPECT_EXIT(body(), ::testing::ExitedWithCode(0), "gave the lease back");
}

}  // namespace
}  // namespace pintle
