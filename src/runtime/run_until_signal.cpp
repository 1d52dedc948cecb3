#include <csignal>
#include <cstdio>

#include <unistd.h>

#include <pintle/base/mutex.hpp>
#include <pintle/base/signals.hpp>

#include "manager_state.hpp"

namespace pintle {
namespace {

constexpr int exit_stopped = 0;
constexpr int exit_usage = 2;
constexpr int exit_cluster = 3;
constexpr int exit_second_signal = 130;

void print_error(const std::string& program, const Error& error) {
  std::fprintf(stderr, "%s: %s\n", program.c_str(), error.to_string().c_str());
}

// Opens once: at the first signal.
class Gate {
 public:
  explicit Gate(Runtime& runtime) : mutex_(runtime), changed_(runtime) {}

  // False when it was open already.
  bool open() {
    const MutexLock lock(mutex_);
    if (open_) return false;
    open_ = true;
    changed_.notify_all();
    return true;
  }
  void wait() {
    const MutexLock lock(mutex_);
    while (!open_) changed_.wait(mutex_);
  }

 private:
  Mutex mutex_;
  Condition changed_;
  bool open_ PINTLE_GUARDED_BY(mutex_) = false;
};

}  // namespace

int run_until_signal(Manager& manager) {
  Manager::State& state = *manager.state_;
  const std::string& name = state.options.name;
  const auto flags = state.read_arguments();
  if (!flags) {
    print_error(name, flags.error());
    return exit_usage;
  }
  if (!flags->help.empty()) {
    std::fputs(flags->help.c_str(), stdout);
    return exit_stopped;
  }
  const std::vector<Error> wrong = state.declaration_errors();
  for (const Error& error : wrong) print_error(name, error);
  if (!wrong.empty()) return exit_usage;
  if (flags->print_crds) {
    std::fputs(state.print_crds().c_str(), stdout);
    return exit_stopped;
  }

  Gate stop(state.runtime);
  const SignalWatch signals([&](int) {
    if (!stop.open()) _exit(exit_second_signal);
    manager.request_stop();
  });
  if (const auto started = manager.start(); !started) {
    if (started.error().code == ErrorCode::cancelled) return exit_stopped;
    print_error(name, started.error());
    return started.error().code == ErrorCode::invalid ? exit_usage : exit_cluster;
  }
  stop.wait();
  manager.stop();
  return exit_stopped;
}

}  // namespace pintle
