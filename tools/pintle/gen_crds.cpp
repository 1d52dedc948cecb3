// SPDX-License-Identifier: Apache-2.0
#include "gen_crds.hpp"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <map>
#include <utility>

#include <fmt/format.h>

#include <pintle/base/terminal.hpp>
#include <pintle/json/document.hpp>
#include <pintle/object/schema/crd.hpp>

#include "gen_crd.hpp"
#include "gen_files.hpp"

namespace pintle::tools {
namespace {

constexpr std::size_t max_output = std::size_t{16} << 20;

// Both ends of a pipe; the destructor closes them.
class Pipe {
 public:
  Pipe() { is_open_ = ::pipe(ends_.data()) == 0; }
  ~Pipe() {
    if (is_open_) close_writer(), ::close(ends_[0]);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  [[nodiscard]] bool is_open() const { return is_open_; }
  [[nodiscard]] int reader() const { return ends_[0]; }
  [[nodiscard]] int writer() const { return ends_[1]; }
  void close_writer() {
    if (ends_[1] >= 0) ::close(std::exchange(ends_[1], -1));
  }

 private:
  std::array<int, 2> ends_{-1, -1};
  bool is_open_ = false;
};

Result<std::string> read_all(int file, const std::string& program) {
  std::string text;
  std::array<char, 4096> part{};
  for (;;) {
    const ssize_t size = ::read(file, part.data(), part.size());
    if (size < 0 && errno == EINTR) continue;
    if (size < 0)
      return fail(ErrorCode::unavailable, fmt::format("cannot read from {}: {}", program, std::strerror(errno)));
    if (size == 0) return text;
    text.append(part.data(), static_cast<std::size_t>(size));
    if (text.size() > max_output) {
      return fail(ErrorCode::invalid,
                  fmt::format("{} --print-crds prints more than 16 MiB; give an operator as PROGRAM", program));
    }
  }
}

// Returns the standard output of a program.
Result<std::string> output_of(std::vector<std::string> command) {
  const std::string program = command.front();
  Pipe pipe;
  if (!pipe.is_open())
    return fail(ErrorCode::unavailable, fmt::format("cannot create a pipe: {}", std::strerror(errno)));
  std::vector<char*> arguments;
  for (std::string& argument : command) arguments.push_back(argument.data());
  arguments.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, pipe.writer(), STDOUT_FILENO);
  ::posix_spawn_file_actions_addclose(&actions, pipe.reader());
  pid_t child = 0;
  const int failed = ::posix_spawnp(&child, arguments.front(), &actions, nullptr, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) return fail(ErrorCode::invalid, fmt::format("cannot run {}: {}", program, std::strerror(failed)));

  pipe.close_writer();
  auto text = read_all(pipe.reader(), program);
  if (!text) ::kill(child, SIGKILL);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {}
  if (text && (!WIFEXITED(status) || WEXITSTATUS(status) != 0)) {
    return fail(ErrorCode::invalid,
                fmt::format("{} --print-crds failed; give a program that calls run_until_signal", program));
  }
  return text;
}

// Returns the CRDs by name.
Result<std::map<std::string, json::Value>> crds_in(const std::string& text, const std::string& program) {
  const auto wrong = [&](const std::string& what) {
    return fail(ErrorCode::invalid, fmt::format("the output of {} --print-crds {}", program, what));
  };
  auto documents = json::parse_yaml_stream(text);
  if (!documents) return wrong("is not YAML: " + documents.error().message);
  std::map<std::string, json::Value> crds;
  for (json::Value& value : *documents) {
    const json::Document document(value);
    const CrdView crd(document.root());
    if (!is_crd(document.root()))
      return wrong("contains something else than CRDs; write nothing else to standard output");
    const std::string name(crd.name());
    if (name != crd_name(crd.plural(), crd.group())) {
      return wrong(fmt::format("has a CRD named \"{}\"; its group and plural require the name {}", name,
                               crd_name(crd.plural(), crd.group())));
    }
    const auto [there, is_new] = crds.emplace(name, value);  // two controllers of one kind both print its CRD
    if (!is_new && there->second != value) return wrong("contains two different CRDs " + name);
  }
  if (crds.empty()) return wrong("is empty; the program watches no custom kind with a CRD of its own");
  return crds;
}

Result<void> write_crds(const GenCrdOptions& options) {
  if (options.command.empty()) return fail(ErrorCode::invalid, "PROGRAM is missing; give the program to run");
  std::vector<std::string> command = options.command;
  command.emplace_back("--print-crds");
  auto text = output_of(command);
  if (!text) return fail(std::move(text.error()));
  auto crds = crds_in(*text, command.front());
  if (!crds) return fail(std::move(crds.error()));
  std::map<std::string, std::string> files;
  for (const auto& [name, crd] : *crds) files[options.out + "/" + name + ".yaml"] = json::print_yaml(crd);
  if (!options.out.empty()) return write_files(files);
  for (const auto& [path, yaml] : files) fmt::print("---\n{}", yaml);
  return {};
}

}  // namespace

int run_gen_crd(const GenCrdOptions& options) {
  const auto done = write_crds(options);
  if (done) return 0;
  fmt::print(stderr, "pintle gen crd: {}\n", escape_for_terminal(done.error().message));
  return done.error().code == ErrorCode::invalid ? 2 : 1;
}

}  // namespace pintle::tools
