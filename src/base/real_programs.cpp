// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <iterator>
#include <optional>
#include <string_view>
#include <system_error>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <pintle/base/environment.hpp>
#include <pintle/base/programs.hpp>
#include <pintle/base/stop.hpp>
#include <pintle/base/text.hpp>

#include "output/last_words.hpp"

extern char** environ;  // POSIX

namespace pintle {
namespace {

constexpr std::size_t max_errors = std::size_t{16} << 10U;  // bytes of standard error that are kept
constexpr int first_inherited = 3;                          // the first descriptor after the standard ones

Error system_error(ErrorCode code, const std::string& what, int reason) {
  return make_error(code, what + ": " + std::generic_category().message(reason));
}

// A file descriptor that is closed at the end of the scope.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) noexcept : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() { close(); }

  [[nodiscard]] int get() const noexcept { return number_; }
  [[nodiscard]] bool is_open() const noexcept { return number_ >= 0; }
  void close() noexcept {
    if (is_open()) ::close(std::exchange(number_, -1));
  }

 private:
  int number_;
};

struct Pipe {
  Descriptor read{};
  Descriptor write{};
};

Result<Pipe> make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return fail(system_error(ErrorCode::unavailable, "cannot create a pipe", errno));
  Pipe made{Descriptor(ends[0]), Descriptor(ends[1])};
  // A process without standard streams would get a pipe in their place, which the preparation of the child replaces.
  for (Descriptor* end : {&made.read, &made.write}) {
    if (end->get() >= first_inherited) continue;
    *end = Descriptor(::fcntl(end->get(), F_DUPFD_CLOEXEC, first_inherited));
    if (!end->is_open()) return fail(system_error(ErrorCode::unavailable, "cannot create a pipe", errno));
  }
  // Only the reading end: a program does not expect that a write to its output fails with EAGAIN.
  ::fcntl(made.read.get(), F_SETFL, O_NONBLOCK);
  return made;
}

// Returns the path of a program. Error: not_found.
Result<std::string> find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) {
    if (::access(name.c_str(), F_OK) == 0) return name;
    return fail(system_error(ErrorCode::not_found, "program " + name, errno));
  }
  const std::string path = environment_variable("PATH");
  for (std::string_view folders = path; !folders.empty() && !name.empty();) {
    const std::string_view folder = folders.substr(0, folders.find(':'));
    folders.remove_prefix(std::min(folder.size() + 1, folders.size()));
    std::string file = std::string(folder) + "/" + name;
    if (folder.starts_with('/') && ::access(file.c_str(), X_OK) == 0) return file;
  }
  return fail(ErrorCode::not_found, "program " + quote(name) + " is not in a folder of $PATH");
}

// The argument list or environment of a program.
class TextList {
 public:
  void add(std::string text) { texts_.push_back(std::move(text)); }
  [[nodiscard]] char** get() {
    pointers_.clear();
    for (std::string& text : texts_) pointers_.push_back(text.data());
    pointers_.push_back(nullptr);
    return pointers_.data();
  }

 private:
  std::vector<std::string> texts_;
  std::vector<char*> pointers_;
};

TextList environment_of(const ProgramCall& call) {
  TextList list;
  const auto is_replaced = [&](std::string_view variable) {
    const std::string_view name = variable.substr(0, variable.find('='));
    return std::ranges::any_of(call.environment, [&](const auto& own) { return own.first == name; });
  };
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
    if (!is_replaced(*variable)) list.add(*variable);
  }
  for (const auto& [name, value] : call.environment) list.add(name + "=" + value);
  return list;
}

// The actions of posix_spawn in the new process before the program starts.
class Preparation {
 public:
  Preparation(const ProgramCall& call, const Pipe& output, const Pipe& errors) {
    ::posix_spawn_file_actions_init(&actions_);
    if (!call.inherit_input) ::posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_adddup2(&actions_, output.write.get(), STDOUT_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions_, errors.write.get(), STDERR_FILENO);
    ::posix_spawn_file_actions_addclosefrom_np(&actions_, first_inherited);
    ::posix_spawnattr_init(&attributes_);
    sigset_t signals;
    ::sigemptyset(&signals);
    ::posix_spawnattr_setsigmask(&attributes_, &signals);
    ::sigfillset(&signals);
    ::posix_spawnattr_setsigdefault(&attributes_, &signals);
    ::posix_spawnattr_setpgroup(&attributes_, 0);
    // A program in a process group of its own would be stopped when it reads the terminal.
    const short group = call.inherit_input ? short{0} : short{POSIX_SPAWN_SETPGROUP};
    ::posix_spawnattr_setflags(&attributes_,
                               static_cast<short>(group | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF));
  }
  ~Preparation() {
    ::posix_spawn_file_actions_destroy(&actions_);
    ::posix_spawnattr_destroy(&attributes_);
  }
  Preparation(const Preparation&) = delete;
  Preparation& operator=(const Preparation&) = delete;

  [[nodiscard]] int spawn(pid_t& child, const std::string& file, TextList& arguments, TextList& environment) const {
    return ::posix_spawn(&child, file.c_str(), &actions_, &attributes_, arguments.get(), environment.get());
  }

 private:
  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
};

// A started program. The destructor kills and reaps it.
class Child {
 public:
  Child(pid_t id, bool has_group)
      : id_(id), has_group_(has_group), end_(static_cast<int>(::syscall(SYS_pidfd_open, id, 0))) {}
  ~Child() {
    if (is_reaped_) return;
    ::kill(has_group_ ? -id_ : id_, SIGKILL);
    (void)reap(0);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  // Readable when the program has ended; -1 on a system without such descriptors.
  [[nodiscard]] int end_descriptor() const noexcept { return end_.get(); }

  // Returns the wait status, or nothing while the program runs. Error: unavailable, if the status is lost.
  [[nodiscard]] std::optional<Result<int>> reap(int flags) {
    int status = 0;
    pid_t reaped = 0;
    while ((reaped = ::waitpid(id_, &status, flags)) < 0 && errno == EINTR) {}
    if (reaped == 0) return std::nullopt;
    is_reaped_ = true;
    if (reaped == id_) return Result<int>(status);
    return Result<int>(fail(system_error(ErrorCode::unavailable,
                                         "the exit status of the program is unknown, another part of this process "
                                         "waits for all children or ignores SIGCHLD",
                                         errno)));
  }

 private:
  const pid_t id_;
  const bool has_group_;
  const Descriptor end_;
  bool is_reaped_ = false;
};

// Reads once. Returns false if nothing is available now, and closes the descriptor at the end of the stream.
bool read_some(Descriptor& from, std::string& to) {
  char buffer[16384];
  ssize_t size = -1;
  while (from.is_open() && (size = ::read(from.get(), buffer, sizeof(buffer))) < 0 && errno == EINTR) {}
  if (size > 0) to.append(buffer, static_cast<std::size_t>(size));
  if (size == 0 || (size < 0 && errno != EAGAIN)) from.close();
  return size > 0;
}

// Writes to the standard error of this process. A text that cannot be written is dropped.
void pass_on(std::string_view text) {
  while (!text.empty()) {
    const ssize_t size = ::write(STDERR_FILENO, text.data(), text.size());
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(size));
  }
}

class RealPrograms final : public Programs {
 public:
  RealPrograms(Executor& executor, std::optional<std::uint64_t> max_open_files)
      : executor_(executor), max_open_files_(max_open_files) {}

  using Programs::run;
  Result<ProgramResult> run(const ProgramCall& call, std::stop_token stop) override;
  [[nodiscard]] bool has_terminal() const override { return ::isatty(STDIN_FILENO) == 1; }

 private:
  struct Streams {
    Pipe output;
    Pipe errors;
    Pipe wake;  // written at a stop
  };

  [[nodiscard]] Result<pid_t> start(const ProgramCall& call, const Streams& streams) const;
  [[nodiscard]] Result<ProgramResult> follow(const ProgramCall& call, Streams& streams, Child& child,
                                             const std::stop_token& stop) const;
  [[nodiscard]] static Result<void> read(const ProgramCall& call, Streams& streams, ProgramResult& result);
  void wait(const Streams& streams, const Child& child, Instant deadline) const;
  void limit_open_files(pid_t child) const;

  Executor& executor_;
  const std::optional<std::uint64_t> max_open_files_;
};

Result<ProgramResult> RealPrograms::run(const ProgramCall& call, std::stop_token stop) {
  if (!executor_.may_block()) {
    return fail(ErrorCode::unsupported, "program " + call.program + " cannot be run on thread \"" +
                                            std::string(executor_.thread_name()) + "\", which must not block");
  }
  if (stop.stop_requested()) return fail(ErrorCode::cancelled, "stopped before program " + call.program + " was run");
  auto output = make_pipe();
  auto errors = make_pipe();
  auto wake = make_pipe();
  for (const auto* made : {&output, &errors, &wake}) {
    if (!*made) return fail(Error(made->error()).with_operation("run program " + call.program));
  }
  Streams streams{std::move(*output), std::move(*errors), std::move(*wake)};
  const auto started = start(call, streams);
  if (!started) return fail(started.error());
  Child child(*started, !call.inherit_input);
  streams.output.write.close();
  streams.errors.write.close();
  const StopCallback on_stop(executor_, stop, [&streams] { (void)!::write(streams.wake.write.get(), "", 1); });
  return follow(call, streams, child, stop);
}

Result<pid_t> RealPrograms::start(const ProgramCall& call, const Streams& streams) const {
  const auto file = find_program(call.program);
  if (!file) return fail(file.error());
  TextList arguments;
  arguments.add(call.program);
  for (const std::string& argument : call.arguments) arguments.add(argument);
  TextList environment = environment_of(call);
  const Preparation preparation(call, streams.output, streams.errors);
  pid_t child = 0;
  const int failed = preparation.spawn(child, *file, arguments, environment);
  if (failed == 0) limit_open_files(child);
  if (failed == 0) return child;
  const bool is_scarce = failed == EAGAIN || failed == ENOMEM || failed == EMFILE || failed == ENFILE;
  return fail(system_error(is_scarce ? ErrorCode::unavailable : ErrorCode::invalid,
                           "program " + *file + " cannot be executed", failed));
}

void RealPrograms::limit_open_files(pid_t child) const {
  rlimit limit{};
  if (!max_open_files_ || ::prlimit(child, RLIMIT_NOFILE, nullptr, &limit) != 0) return;
  limit.rlim_cur = std::min<rlim_t>(*max_open_files_, limit.rlim_max);
  ::prlimit(child, RLIMIT_NOFILE, &limit, nullptr);
}

Result<ProgramResult> RealPrograms::follow(const ProgramCall& call, Streams& streams, Child& child,
                                           const std::stop_token& stop) const {
  const Instant deadline = after(executor_.now(), call.timeout);
  ProgramResult result;
  while (true) {
    const auto ended = child.reap(WNOHANG);
    // After the end of the program, all of its output is in the pipes. A descendant may keep them open.
    if (auto done = read(call, streams, result); !done) return fail(std::move(done.error()));
    if (ended && !*ended) return fail(ended->error());
    if (ended) {
      constexpr int of_signal = 128;
      result.status = WIFEXITED(**ended) ? WEXITSTATUS(**ended) : of_signal + WTERMSIG(**ended);
      return result;
    }
    if (stop.stop_requested()) return fail(ErrorCode::cancelled, "stopped while program " + call.program + " ran");
    if (executor_.now() >= deadline) {
      return fail(ErrorCode::timeout, "program " + call.program + " did not end within " +
                                          format_duration(call.timeout) + " and was killed" +
                                          last_words(result.errors));
    }
    wait(streams, child, deadline);
  }
}

// Reads the available bytes, with a limit, because a program may write faster than it is read.
Result<void> RealPrograms::read(const ProgramCall& call, Streams& streams, ProgramResult& result) {
  constexpr int max_reads = 128;  // more than the capacity of a pipe
  for (int i = 0; i < max_reads; ++i) {
    const bool has_output = read_some(streams.output.read, result.output);
    const std::size_t known = result.errors.size();
    const bool has_errors = read_some(streams.errors.read, result.errors);
    if (call.inherit_input) pass_on(std::string_view(result.errors).substr(known));
    if (result.output.size() > call.max_output) {
      return fail(ErrorCode::invalid, "program " + call.program + " wrote more than " +
                                          std::to_string(call.max_output) + " bytes to its standard output");
    }
    if (result.errors.size() > max_errors) result.errors.erase(0, result.errors.size() - max_errors);
    if (!has_output && !has_errors) break;
  }
  return {};
}

void RealPrograms::wait(const Streams& streams, const Child& child, Instant deadline) const {
  constexpr auto between_looks = std::chrono::milliseconds(20);  // without a descriptor for the end
  auto limit = std::chrono::ceil<std::chrono::milliseconds>(std::max(deadline - executor_.now(), Duration::zero()));
  if (child.end_descriptor() < 0) limit = std::min(limit, std::chrono::milliseconds(between_looks));
  limit = std::min(limit, std::chrono::milliseconds(std::chrono::hours(1)));
  pollfd watched[] = {{.fd = streams.output.read.get(), .events = POLLIN, .revents = 0},
                      {.fd = streams.errors.read.get(), .events = POLLIN, .revents = 0},
                      {.fd = streams.wake.read.get(), .events = POLLIN, .revents = 0},
                      {.fd = child.end_descriptor(), .events = POLLIN, .revents = 0}};
  (void)::poll(watched, std::size(watched), static_cast<int>(limit.count()));
}

}  // namespace

std::unique_ptr<Programs> make_real_programs(Executor& executor, std::optional<std::uint64_t> max_open_files) {
  return std::make_unique<RealPrograms>(executor, max_open_files);
}

}  // namespace pintle
