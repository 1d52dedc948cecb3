// run_until_signal as a process of its own: each test forks, and looks at how the child ends.
#include <csignal>
#include <cstdlib>
#include <string>

#include <unistd.h>

#include <pintle/http/memory_transport.hpp>

#include "test_support.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;

constexpr auto for_ever = 24h;  // as long as a test can last

// As a program does that starts threads of its own before run_until_signal.
void block_stop_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

// Runs an operator of one Note on the real runtime; `reconcile` is its whole work.
int run_operator(const std::function<Outcome(const Note&, Context&)>& reconcile, ManagerOptions options = {}) {
  block_stop_signals();
  const auto runtime = make_real_runtime();
  ApiServer server(*runtime, {});
  const auto transport = std::make_shared<http::MemoryTransport>(*runtime, server);
  options.name = "signalled";
  options.runtime = runtime.get();
  options.transport = transport;
  Manager manager(std::move(options));
  manager.add(Controller<Note>{.reconcile = reconcile});
  Thread user = runtime->spawn({.name = "user"}, [&] {
    Client client({.transport = transport});
    while (!client.create(note("a"))) runtime->sleep_for(1ms);  // until the operator has installed the kind
  });
  const int code = run_until_signal(manager);
  user.join();
  return code;
}

void signal_ourselves(int signal) { ::kill(::getpid(), signal); }

ManagerOptions elected() {
  return {.leader_election = LeaderElectionOptions{.lease_duration = 1s, .renew_deadline = 600ms, .retry_period = 50ms},
          .stop_grace = for_ever};
}

// Somebody takes the lease by hand.
void seize_lease(Context& context) {
  const auto seized = context.client().patch(Type{"coordination.k8s.io/v1", "Lease"}, {"default", "signalled"},
                                             json::Value{{"spec", {{"holderIdentity", "thief"}}}});
  if (!seized) std::exit(98);
}

class RunUntilSignalDeathTest : public ::testing::Test {
 protected:
  RunUntilSignalDeathTest() {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    // A process that ends on purpose while a thread goes on has not leaked it. For the children alone.
    const char* given = std::getenv("TSAN_OPTIONS");
    options_ = given == nullptr ? "" : given;
    ::setenv("TSAN_OPTIONS", (options_ + ":report_thread_leaks=0").c_str(), 1);
  }
  ~RunUntilSignalDeathTest() override { ::setenv("TSAN_OPTIONS", options_.c_str(), 1); }

 private:
  std::string options_;
};

TEST_F(RunUntilSignalDeathTest, TheFirstSignalStopsWellAndWaitsForThePass) {
  const auto body = [] {
    bool finished = false;
    const int code = run_operator([&](const Note&, Context& context) -> Outcome {
      signal_ourselves(SIGTERM);
      context.runtime().sleep_for(for_ever, context.stop_token());
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
      context.runtime().sleep_for(for_ever, context.stop_token());
      signal_ourselves(SIGTERM);
      context.runtime().sleep_for(for_ever);
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
          context.runtime().sleep_for(for_ever);
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
          context.runtime().sleep_for(for_ever, context.stop_token());
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
          context.runtime().sleep_for(for_ever);
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
