// run_until_signal as a process of its own: each test forks, and looks at how the child ends.
#include <csignal>

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
int run_operator(const std::function<Outcome(const Note&, Context&)>& reconcile) {
  block_stop_signals();
  const auto runtime = make_real_runtime();
  ApiServer server(*runtime, {});
  const auto transport = std::make_shared<http::MemoryTransport>(*runtime, server);
  Manager manager({.name = "signalled", .runtime = runtime.get(), .transport = transport});
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

class RunUntilSignalDeathTest : public ::testing::Test {
 protected:
  RunUntilSignalDeathTest() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
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

}  // namespace
}  // namespace pintle
