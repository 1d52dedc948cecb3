// SPDX-License-Identifier: Apache-2.0
#include "simulate.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <memory>
#include <optional>
#include <string_view>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include <pintle/base/executor.hpp>
#include <pintle/base/terminal.hpp>

namespace pintle::tools {
namespace {

constexpr Duration longest_begin = std::chrono::seconds(30);
constexpr int after_signal = 128;  // plus its number: the exit code of a shell
constexpr std::string_view not_run = "not run\n";

// The signal of the end of a child, and those that usually end this process, which it passes on instead.
sigset_t watched_signals() {
  sigset_t set{};
  ::sigemptyset(&set);
  for (const int one : {SIGCHLD, SIGINT, SIGTERM, SIGHUP}) ::sigaddset(&set, one);
  return set;
}

// The lines that a program writes at the begin and at the end of its simulation: see simulate_or_run().
class SimulationPipe {
 public:
  SimulationPipe() {
    if (::pipe(ends_.data()) == 0) ::fcntl(ends_[0], F_SETFL, O_NONBLOCK);
  }
  ~SimulationPipe() {
    for (const int end : ends_) {
      if (end >= 0) ::close(end);
    }
  }
  SimulationPipe(const SimulationPipe&) = delete;
  SimulationPipe& operator=(const SimulationPipe&) = delete;

  [[nodiscard]] bool is_open() const { return ends_[0] >= 0; }
  [[nodiscard]] int to_write() const { return ends_[1]; }
  void listen() {
    std::array<char, 64> buffer{};
    for (ssize_t size = 1; size > 0;) {
      size = ::read(ends_[0], buffer.data(), buffer.size());
      if (size > 0) heard_.append(buffer.data(), static_cast<std::size_t>(size));
    }
  }
  [[nodiscard]] bool has_heard(std::string_view line) const { return heard_.find(line) != std::string::npos; }

 private:
  std::array<int, 2> ends_{-1, -1};
  std::string heard_;
};

// In the child: becomes the program.
[[noreturn]] void become(const std::vector<std::string>& command, const SimulationPipe& pipe, const sigset_t& signals) {
  ::sigprocmask(SIG_SETMASK, &signals, nullptr);
  std::vector<std::string> texts = command;
  texts.insert(texts.begin() + 1, "--simulate");
  std::vector<char*> arguments;
  for (std::string& text : texts) arguments.push_back(text.data());
  arguments.push_back(nullptr);
  ::setenv("PINTLE_SIMULATION_PIPE", std::to_string(pipe.to_write()).c_str(), 1);
  // A trial makes and frees many small objects. With its usual cache of 7 blocks a size, malloc costs a tenth of the
  // time.
  ::setenv("GLIBC_TUNABLES", "glibc.malloc.tcache_count=1000", 0);
  ::execvp(arguments.front(), arguments.data());
  std::fprintf(stderr, "pintle: cannot run %s: %s\n", escape_for_terminal(texts.front()).c_str(), std::strerror(errno));
  if (::write(pipe.to_write(), not_run.data(), not_run.size()) < 0) std::perror("pintle");
  std::fflush(stderr);
  ::_exit(2);
}

struct Ended {
  int status = 0;          // of waitpid()
  bool timed_out = false;  // it has not begun a simulation, and was ended
  bool was_asked = false;  // by a signal to this process
};

// A signal of a terminal reaches the program too.
void pass_on(const siginfo_t& signal, pid_t child) {
  if (signal.si_code <= 0) ::kill(child, signal.si_signo);
}

Ended wait_for(pid_t child, SimulationPipe& pipe, const sigset_t& watched) {
  const std::unique_ptr<Executor> executor = make_real_executor();
  const Instant limit = after(executor->now(), longest_begin);
  Ended ended;
  while (true) {
    pipe.listen();
    const pid_t done = ::waitpid(child, &ended.status, WNOHANG);
    if (done == child || (done < 0 && errno != EINTR)) break;
    if (!pipe.has_heard("begin\n") && executor->now() >= limit && !ended.timed_out) {
      ended.timed_out = true;
      ::kill(child, SIGKILL);
    }
    constexpr timespec pause{.tv_sec = 0, .tv_nsec = 100'000'000};
    siginfo_t signal{};
    if (::sigtimedwait(&watched, &signal, &pause) <= 0 || signal.si_signo == SIGCHLD) continue;
    ended.was_asked = true;
    pass_on(signal, child);
  }
  pipe.listen();
  return ended;
}

std::string how(const Ended& ended) {
  if (ended.timed_out) return fmt::format("has begun no simulation within {}", format_duration(longest_begin));
  if (WIFSIGNALED(ended.status)) {
    return fmt::format("ended with signal {} ({})", WTERMSIG(ended.status), ::strsignal(WTERMSIG(ended.status)));
  }
  return fmt::format("ended with exit code {}", WEXITSTATUS(ended.status));
}

int exit_code(const Ended& ended) {
  return WIFSIGNALED(ended.status) ? after_signal + WTERMSIG(ended.status) : WEXITSTATUS(ended.status);
}

// Without its end, a simulation has printed no report.
int judge(const std::string& program, const Ended& ended, const SimulationPipe& pipe) {
  if (pipe.has_heard("end\n")) return exit_code(ended);
  if (pipe.has_heard(not_run)) return 2;
  const std::string name = escape_for_terminal(program);
  if (ended.was_asked) return exit_code(ended) == 0 ? 2 : exit_code(ended);
  if (pipe.has_heard("begin\n")) {
    fmt::print(stderr, "pintle: the simulation of {} {} before its report\n", name, how(ended));
    return exit_code(ended) == 0 ? 2 : exit_code(ended);
  }
  fmt::print(stderr,
             "pintle: {} is no simulation: with the argument --simulate, it {}. Link it with the CMake target "
             "pintle::simulated, or let its main() call pintle::testkit::simulate_or_run()\n",
             name, how(ended));
  return 2;
}

}  // namespace

int run_simulate(const std::vector<std::string>& command) {
  if (command.empty()) {
    std::fputs("pintle: simulate needs a program: pintle simulate PROGRAM [OPTION]... [-- ARGUMENT...]\n", stderr);
    return 2;
  }
  SimulationPipe pipe;
  const sigset_t watched = watched_signals();
  sigset_t before{};
  ::sigprocmask(SIG_BLOCK, &watched, &before);
  const pid_t child = pipe.is_open() ? ::fork() : -1;
  if (child < 0) {
    std::fprintf(stderr, "pintle: cannot start a process: %s\n", std::strerror(errno));
    return 2;
  }
  if (child == 0) become(command, pipe, before);
  const Ended ended = wait_for(child, pipe, watched);
  ::sigprocmask(SIG_SETMASK, &before, nullptr);
  return judge(command.front(), ended, pipe);
}

}  // namespace pintle::tools
