// SPDX-License-Identifier: Apache-2.0
#include "processes.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <poll.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

namespace pintle {
namespace {

constexpr std::size_t max_output = 8'192;
// The last line of a process whose function has returned. Code that the function calls may end the process by exit(0).
constexpr std::string_view end_line = "\x04";

// One end of a pipe.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) noexcept : number_(number) {}
  ~Descriptor() { close(); }
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  void close() noexcept {
    if (number_ >= 0) ::close(number_);
    number_ = -1;
  }
  [[nodiscard]] int get() const noexcept { return number_; }

 private:
  int number_;
};

struct Pipe {
  Descriptor read{};
  Descriptor write{};

  static std::optional<Pipe> make() {
    std::array<int, 2> ends{};
    if (::pipe(ends.data()) != 0) return std::nullopt;
    return Pipe{.read = Descriptor(ends[0]), .write = Descriptor(ends[1])};
  }
};

struct Child {
  pid_t id = -1;
  Descriptor values{};
  Descriptor errors{};
  std::string received{};  // the part of a line
  std::string output{};
  bool is_running = false;
  bool has_returned = false;
};

void write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) ::_exit(1);  // the parent has ended
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

// All threads of a simulation run on one processor; this one is the processor of the child.
void run_on_processor(std::size_t number) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(number % processor_count(), &set);
  ::sched_setaffinity(0, sizeof set, &set);
}

int wait_for(const Child& child) {
  int status = 0;
  while (::waitpid(child.id, &status, 0) < 0 && errno == EINTR) {}
  return status;
}

int end(const Child& child) {
  ::kill(child.id, SIGKILL);
  return wait_for(child);
}

Result<void> start(Child& child, std::size_t number,
                   const std::function<void(std::size_t, const std::function<void(std::string)>&)>& work) {
  auto values = Pipe::make();
  auto errors = Pipe::make();
  const pid_t id = values && errors ? ::fork() : -1;
  if (id < 0) {
    return fail(ErrorCode::unavailable, std::string("cannot start a process for the trials: ") + std::strerror(errno));
  }
  if (id == 0) {
    ::dup2(errors->write.get(), STDERR_FILENO);
    run_on_processor(number);
    std::signal(SIGALRM, SIG_DFL);
    work(number, [&](const std::string& line) { write_all(values->write.get(), line + "\n"); });
    std::fflush(nullptr);
    write_all(values->write.get(), std::string(end_line) + "\n");
    ::_exit(0);  // without the destructors and handlers of the parent
  }
  child = {.id = id, .values = std::move(values->read), .errors = std::move(errors->read), .is_running = true};
  return {};
}

std::string how_ended(int status) {
  if (WIFSIGNALED(status)) return fmt::format("signal {} ({})", WTERMSIG(status), ::strsignal(WTERMSIG(status)));
  return fmt::format("exit code {}", WEXITSTATUS(status));
}

}  // namespace

std::size_t processor_count() {
  const long count = ::sysconf(_SC_NPROCESSORS_ONLN);
  return count < 1 ? 1 : static_cast<std::size_t>(count);
}

void limit_real_time(Duration time) {
  ::alarm(static_cast<unsigned>(std::chrono::ceil<std::chrono::seconds>(time).count()));
}

Result<void> in_processes(std::size_t count,
                          const std::function<void(std::size_t, const std::function<void(std::string)>&)>& work,
                          const std::function<bool(std::size_t, const std::string&)>& on_line,
                          const std::function<void(std::size_t, const ProcessDeath*)>& on_end,
                          const std::function<bool()>& is_interrupted) {
  std::fflush(nullptr);
  std::vector<Child> children(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (auto started = start(children[i], i, work); !started) {
      for (std::size_t other = 0; other < i; ++other) (void)end(children[other]);
      started.error().message += fmt::format(" (process {} of {})", i + 1, count);
      return started;
    }
  }

  bool continues = true;
  std::size_t running = count;
  while (running != 0) {
    std::vector<pollfd> waiting;
    std::vector<std::pair<std::size_t, bool>> of;  // the child, and whether it is its standard error
    for (std::size_t i = 0; i < count; ++i) {
      if (!children[i].is_running) continue;
      if (children[i].values.get() >= 0) {
        waiting.push_back({.fd = children[i].values.get(), .events = POLLIN, .revents = 0});
        of.emplace_back(i, false);
      }
      if (children[i].errors.get() >= 0) {
        waiting.push_back({.fd = children[i].errors.get(), .events = POLLIN, .revents = 0});
        of.emplace_back(i, true);
      }
    }
    constexpr int pause = 200;  // milliseconds
    if (::poll(waiting.data(), waiting.size(), is_interrupted ? pause : -1) < 0 && errno != EINTR) break;
    if (is_interrupted && is_interrupted()) continues = false;
    for (std::size_t w = 0; w < waiting.size(); ++w) {
      if (waiting[w].revents == 0) continue;
      Child& child = children[of[w].first];
      std::array<char, 65'536> buffer{};
      const ssize_t read = ::read(waiting[w].fd, buffer.data(), buffer.size());
      if (read <= 0) {
        (of[w].second ? child.errors : child.values).close();
      } else if (of[w].second) {
        child.output.append(buffer.data(), static_cast<std::size_t>(read));
        if (child.output.size() > max_output) child.output.erase(0, child.output.size() - max_output);
      } else {
        child.received.append(buffer.data(), static_cast<std::size_t>(read));
        for (std::size_t end = child.received.find('\n'); end != std::string::npos; end = child.received.find('\n')) {
          const std::string line = child.received.substr(0, end);
          child.received.erase(0, end + 1);
          if (line == end_line) {
            child.has_returned = true;
          } else if (continues && !on_line(of[w].first, line)) {
            continues = false;
          }
        }
      }
    }
    for (std::size_t i = 0; i < count; ++i) {
      Child& child = children[i];
      if (!child.is_running) continue;
      if (continues && (child.values.get() >= 0 || child.errors.get() >= 0)) continue;
      const int status = continues ? wait_for(child) : end(child);
      child.is_running = false;
      --running;
      if (!continues) continue;
      const bool has_returned = child.has_returned && WIFEXITED(status) && WEXITSTATUS(status) == 0;
      const ProcessDeath death{.how = how_ended(status),
                               .timed_out = WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM,
                               .output = child.output};
      on_end(i, has_returned ? nullptr : &death);
    }
  }
  return {};
}

}  // namespace pintle
