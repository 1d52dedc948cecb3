// SPDX-License-Identifier: Apache-2.0
// run_until_signal in its own process: each test forks and checks how the child ends.
#include <sys/resource.h>

#include <filesystem>
#include <fstream>

#include <pintle/testing/seeds.hpp>

#include "controller/process_test_support.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;

constexpr auto longest = 24h;  // longer than any test

ManagerOptions elected() {
  return {.leader_election = LeaderElectionOptions{.lease_duration = 1s, .renew_deadline = 600ms, .retry_period = 50ms},
          .stop_timeout = longest};
}

// Another client takes the lease.
void seize_lease(Context& context) {
  const auto seized = context.client().patch(Type{"coordination.k8s.io/v1", "Lease"}, {"default", "signalled"},
                                             json::Value{{"spec", {{"holderIdentity", "thief"}}}});
  if (!seized) std::exit(98);
}

using RunUntilSignalDeathTest = OperatorProcessDeathTest;

TEST_F(RunUntilSignalDeathTest, TheFirstSignalWaitsForTheReconcile) {
  const auto body = [] {
    bool finished = false;
    const int code = run_operator([&](const Note&, Context& context) -> Outcome {
      signal_ourselves(SIGTERM);
      context.executor().sleep_for(longest, context.stop_token());
      finished = true;
      return done;
    });
    std::exit(finished ? code : 99);
  };
  EXPECT_EXIT(body(), ::testing::ExitedWithCode(0), "");
}

TEST_F(RunUntilSignalDeathTest, TheSecondSignalEndsTheProcessAtOnce) {
  const auto body = [] {
    std::exit(run_operator([](const Note&, Context& context) -> Outcome {
      signal_ourselves(SIGINT);
      context.executor().sleep_for(longest, context.stop_token());
      signal_ourselves(SIGTERM);
      context.executor().sleep_for(longest);
      return done;
    }));
  };
  EXPECT_EXIT(body(), ::testing::ExitedWithCode(130), "");
}

TEST_F(RunUntilSignalDeathTest, AReconcileBeyondTheGraceTimeIsReportedAndTheProcessEnds) {
  const auto body = [] {
    std::exit(run_operator(
        [](const Note&, Context& context) -> Outcome {
          signal_ourselves(SIGTERM);
          context.executor().sleep_for(longest);
          return done;
        },
        {.stop_timeout = 50ms}));
  };
  EXPECT_EXIT(body(), ::testing::ExitedWithCode(1), "signalled: these functions ignore .*: note of default/a");
}

// Work must not continue after the lease is lost, so the process ends (trap 57).
TEST_F(RunUntilSignalDeathTest, ALostLeaseHasItsOwnExitCode) {
  const auto body = [] {
    std::exit(run_operator(
        [](const Note&, Context& context) -> Outcome {
          seize_lease(context);
          context.executor().sleep_for(longest, context.stop_token());
          return done;
        },
        elected()));
  };
  EXPECT_EXIT(body(), ::testing::ExitedWithCode(4), "signalled: lease lost: default/signalled: thief holds it");
}

// The process does not wait for the grace time (trap 63).
TEST_F(RunUntilSignalDeathTest, AReconcileBeyondTheLeaseEndsWithTheProcess) {
  const auto body = [] {
    std::exit(run_operator(
        [](const Note&, Context& context) -> Outcome {
          seize_lease(context);
          context.executor().sleep_for(longest);
          return done;
        },
        elected()));
  };
  EXPECT_EXIT(body(), ::testing::ExitedWithCode(4), "these functions ignore .*: note of default/a");
}

TEST_F(RunUntilSignalDeathTest, ASignalledLeaderStopsWithoutAnError) {
  const auto body = [] {
    std::exit(run_operator(
        [](const Note&, Context&) -> Outcome {
          signal_ourselves(SIGTERM);
          return done;
        },
        elected()));
  };
  EXPECT_EXIT(body(), ::testing::ExitedWithCode(0), "released the lease");
}

rlimit open_files() {
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  return limit;
}

void set_open_files(rlim_t soft) {
  const rlimit limit{.rlim_cur = soft, .rlim_max = open_files().rlim_max};
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

// Each watch is a connection, and many systems start programs with a soft limit of 1,024.
TEST_F(RunUntilSignalDeathTest, TheLimitOfOpenFilesIsRaised) {
  const auto body = [] {
    set_open_files(256);
    std::exit(run_operator([](const Note&, Context&) -> Outcome {
      if (open_files().rlim_cur != open_files().rlim_max) std::exit(99);
      signal_ourselves(SIGTERM);
      return done;
    }));
  };
  EXPECT_EXIT(body(), ::testing::ExitedWithCode(0), "");
}

// Programs that use select() need it. The limit is set after the start of the plugin, so the plugin waits for it.
TEST_F(RunUntilSignalDeathTest, ACredentialPluginHasTheLimitFromBefore) {
  const std::string file = ::testing::TempDir() + "pintle-limits-" + std::to_string(::getpid());
  std::ofstream(file) << "current-context: c\ncontexts: [{name: c, context: {cluster: c, user: u}}]\n"
                         "clusters: [{name: c, cluster: {server: \"https://127.0.0.1:1\"}}]\n"
                         "users: [{name: u, user: {exec: {apiVersion: client.authentication.k8s.io/v1, command: sh, "
                         "interactiveMode: Never, args: [-c, 'until [ $(ulimit -Sn) = 256 ]; do :; done; "
                         "echo the limit is back >&2; exit 7']}}}]\n";
  const auto body = [&] {
    set_open_files(256);
    Manager manager({.name = "signalled", .kubeconfig = file, .sync_timeout = 1ms});
    manager.add(Controller<Note>{.reconcile = [](const Note&, Context&) -> Outcome { return done; }});
    std::exit(run_until_signal(manager));
  };
  EXPECT_EXIT(body(), ::testing::ExitedWithCode(3), "status 7: the limit is back");
  std::filesystem::remove(file);
}

// A server that responds to every request with one status.
class OneResponse final : public http::Handler {
 public:
  explicit OneResponse(int status) : status_(status) {}
  http::Response handle(const http::Request&) override { return {.status = status_, .body = "no"}; }

 private:
  const int status_;
};

// Runs an operator against such a server, and `meanwhile` on another thread. Returns the exit code.
int run_against(int status, ManagerOptions options, const std::function<void(Executor&)>& meanwhile = {}) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  const auto executor = make_real_executor();
  OneResponse server(status);
  options.name = "signalled";
  options.executor = executor.get();
  options.transport = std::make_shared<http::InProcessTransport>(*executor, server);
  Manager manager(std::move(options));
  manager.add(Controller<Note>{.reconcile = [](const Note&, Context&) -> Outcome { return done; }});
  Thread beside = executor->spawn({.name = "beside"}, [&] {
    if (meanwhile) meanwhile(*executor);
  });
  const int code = run_until_signal(manager);
  beside.join();
  return code;
}

TEST_F(RunUntilSignalDeathTest, AnUnavailableServerHasItsOwnExitCode) {
  EXPECT_EXIT(std::exit(run_against(401, {})), ::testing::ExitedWithCode(3),
              "signalled: install the CRD of test.pintle.dev/v1 Note: .*401");
  EXPECT_EXIT(std::exit(run_against(503, {.sync_timeout = 300ms})), ::testing::ExitedWithCode(3),
              "signalled: install the CRD of .*: no success after .*: .*503");
}

TEST_F(RunUntilSignalDeathTest, ASignalEndsAStartThatRetries) {
  const auto body = [] {
    std::exit(run_against(503, {}, [](Executor& executor) {
      executor.sleep_for(300ms);
      signal_ourselves(SIGTERM);
    }));
  };
  EXPECT_EXIT(body(), ::testing::ExitedWithCode(0), "");
}

TEST_F(RunUntilSignalDeathTest, InvalidDeclarationsAndOptionsAreUsageErrors) {
  const auto nothing_declared = [] {
    Manager manager({.name = "signalled"});
    std::exit(run_until_signal(manager));
  };
  EXPECT_EXIT(nothing_declared(), ::testing::ExitedWithCode(2), "signalled: manager signalled has no controller");
  EXPECT_EXIT(std::exit(run_against(200, {.state_dir = "/dev/null/state"})), ::testing::ExitedWithCode(2),
              "signalled: state directory /dev/null/state");
  EXPECT_EXIT(std::exit(run_against(200, {.listen = "nowhere"})), ::testing::ExitedWithCode(2), "signalled: ");
}

TEST_F(RunUntilSignalDeathTest, AResultThatCannotBePrintedIsAnError) {
  const auto body = [] {
    if (std::freopen("/dev/full", "w", stdout) == nullptr) std::exit(98);
    std::string words[] = {"signalled", "--print-crds"};
    char* arguments[] = {words[0].data(), words[1].data()};
    Manager manager({.name = "signalled", .args = {2, arguments}});
    manager.add(Controller<Note>{.reconcile = [](const Note&, Context&) -> Outcome { return done; }});
    std::exit(run_until_signal(manager));
  };
  EXPECT_EXIT(body(), ::testing::ExitedWithCode(1), "signalled: cannot write to standard output: No space left");
}

TEST_F(RunUntilSignalDeathTest, AProcessThatCannotWatchForSignalsFails) {
  if (testkit::is_sanitized) GTEST_SKIP() << "a sanitizer needs its own descriptors";
  const auto body = [] {
    std::exit(run_operator([](const Note&, Context&) -> Outcome { return done; }, {}, [](OperatorUser&) {}, 1));
  };
  const auto without_files = [&] {
    const struct rlimit none {
      .rlim_cur = 0, .rlim_max = 0
    };
    ::setrlimit(RLIMIT_NOFILE, &none);
    body();
  };
  EXPECT_EXIT(without_files(), ::testing::ExitedWithCode(1), "signalled: cannot watch for signals");
}

TEST_F(RunUntilSignalDeathTest, AnErrorPrintsNoControlCharacters) {
  const auto body = [] {
    Manager manager({.name = "signalled"});
    manager.add_error(make_error(ErrorCode::invalid, "\x1b[2Jcleared\nforged"));
    std::exit(run_until_signal(manager));
  };
  EXPECT_EXIT(body(), ::testing::ExitedWithCode(2), "^signalled: \\\\x1b\\[2Jcleared\\\\nforged");
}

}  // namespace
}  // namespace pintle
