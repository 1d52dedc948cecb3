// SPDX-License-Identifier: Apache-2.0
// An operator in its own process, for tests that fork and check how the child ends.
#pragma once

#include <csignal>
#include <cstdlib>
#include <functional>
#include <string>

#include <unistd.h>

#include <pintle/sim/in_process_transport.hpp>

#include "test_support.hpp"

namespace pintle {

// A user who acts while the operator runs.
struct OperatorUser {
  Client& client;
  Executor& executor;
  ApiServer& server;
  Manager& manager;

  // Waits until the operator is ready, because a client searches a kind that is not served every ten seconds only.
  void create(const Note& made) {
    while (!manager.is_ready()) wait();
    while (!client.create(made)) wait();
  }
  void wait() { executor.sleep_for(std::chrono::milliseconds(1)); }
};

inline void signal_ourselves(int signal) { ::kill(::getpid(), signal); }

// Runs an operator of Notes with this reconcile function on the real executor until a signal. Returns the exit code.
inline int run_operator(
    const std::function<Outcome(const Note&, Context&)>& reconcile, ManagerOptions options = {},
    const std::function<void(OperatorUser&)>& use = [](OperatorUser& user) { user.create(note("a")); },
    int workers = 1) {
  // A program that starts its own threads before run_until_signal blocks the signals like this.
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  const auto executor = make_real_executor();
  ApiServer server(*executor, {});
  const auto transport = std::make_shared<http::InProcessTransport>(*executor, server);
  options.name = "signalled";
  options.executor = executor.get();
  options.transport = transport;
  Manager manager(std::move(options));
  manager.add(Controller<Note>{.reconcile = reconcile, .workers = workers});
  Thread thread = executor->spawn({.name = "user"}, [&] {
    Client client({.transport = transport});
    OperatorUser user{client, *executor, server, manager};
    use(user);
  });
  const int code = run_until_signal(manager);
  thread.join();
  return code;
}

class OperatorProcessDeathTest : public ::testing::Test {
 protected:
  OperatorProcessDeathTest() {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    // A process that exits on purpose while a thread runs has not leaked that thread. Only children inherit this
    // option.
    const char* given = std::getenv("TSAN_OPTIONS");
    options_ = given == nullptr ? "" : given;
    ::setenv("TSAN_OPTIONS", (options_ + ":report_thread_leaks=0").c_str(), 1);
  }
  ~OperatorProcessDeathTest() override { ::setenv("TSAN_OPTIONS", options_.c_str(), 1); }

 private:
  std::string options_;
};

}  // namespace pintle
