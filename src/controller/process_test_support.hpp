// An operator as a process of its own, for tests that fork and look at how the child ends.
#pragma once

#include <csignal>
#include <cstdlib>
#include <functional>
#include <string>

#include <unistd.h>

#include <pintle/sim/memory_transport.hpp>

#include "test_support.hpp"

namespace pintle {

// What a person does meanwhile.
struct OperatorUser {
  Client& client;
  Executor& executor;
  ApiServer& server;
  Manager& manager;

  // As soon as the operator has installed the kind.
  void create(const Note& made) {
    while (!client.create(made)) wait();
  }
  void wait() { executor.sleep_for(std::chrono::milliseconds(1)); }
};

inline void signal_ourselves(int signal) { ::kill(::getpid(), signal); }

// Runs an operator of Notes on the real executor until a signal; `reconcile` is its whole work.
inline int run_operator(
    const std::function<Outcome(const Note&, Context&)>& reconcile, ManagerOptions options = {},
    const std::function<void(OperatorUser&)>& use = [](OperatorUser& user) { user.create(note("a")); },
    int workers = 1) {
  // As a program does that starts threads of its own before run_until_signal.
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  const auto executor = make_real_executor();
  ApiServer server(*executor, {});
  const auto transport = std::make_shared<http::MemoryTransport>(*executor, server);
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
    // A process that ends on purpose while a thread goes on has not leaked it. For the children alone.
    const char* given = std::getenv("TSAN_OPTIONS");
    options_ = given == nullptr ? "" : given;
    ::setenv("TSAN_OPTIONS", (options_ + ":report_thread_leaks=0").c_str(), 1);
  }
  ~OperatorProcessDeathTest() override { ::setenv("TSAN_OPTIONS", options_.c_str(), 1); }

 private:
  std::string options_;
};

}  // namespace pintle
