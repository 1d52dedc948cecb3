// SPDX-License-Identifier: Apache-2.0
// Programs: runs other programs, such as credential plugins. It has a real and a simulated implementation.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/base/executor.hpp>
#include <pintle/base/result.hpp>
#include <pintle/base/time.hpp>

namespace pintle {

/// A program with its arguments, and the limits of its run.
struct ProgramCall {
  /// The path of the program. A name without a slash is searched in $PATH; relative folders in $PATH are ignored.
  std::string program{};
  std::vector<std::string> arguments{};                            ///< without the name of the program
  std::vector<std::pair<std::string, std::string>> environment{};  ///< in addition to the variables of this process
  /// True for a program that may need input from a person. The program reads the standard input of this process, its
  /// standard error is also copied to that of this process, and signals of the terminal (Ctrl-C) reach it. False: its
  /// standard input is empty, and it has a process group of its own.
  bool inherit_input = false;
  Duration timeout = std::chrono::minutes(1);
  std::size_t max_output = std::size_t{1} << 20U;  ///< bytes of standard output
};

struct ProgramResult {
  int status = 0;        ///< exit status; 128 + N after signal N
  std::string output{};  ///< standard output
  std::string errors{};  ///< the last 16 KiB of standard error
};

/// The seam to other programs. make_real_programs() runs them; SimulatedPrograms calls functions instead. Thread-safe.
class PINTLE_EXPORT Programs {
 public:
  virtual ~Programs() = default;

  /// Runs a program until it ends. A nonzero exit status is not an error of this call. Errors: not_found, if the
  /// program does not exist; invalid, if it cannot be executed or writes more than `max_output` bytes; timeout;
  /// cancelled, if `stop` is requested; unsupported, if the calling thread must not block; unavailable, if the system
  /// cannot start a process. After an error the program has ended.
  [[nodiscard]] virtual Result<ProgramResult> run(const ProgramCall& call, std::stop_token stop) = 0;
  [[nodiscard]] Result<ProgramResult> run(const ProgramCall& call) { return run(call, {}); }

  /// Whether the standard input of this process is a terminal, where a person can enter text.
  [[nodiscard]] virtual bool has_terminal() const = 0;
};

/// Runs programs on this machine. A program inherits only the standard input, if requested, and the environment. Its
/// other descriptors are closed, no signal is blocked or ignored, and standard output and standard error are read by
/// this process. At a timeout or stop, the whole process group of the program is killed, or only the program if it
/// inherits the standard input. The message of the error `timeout` contains the last text of its standard error. Each
/// program is reaped; the disposition of SIGCHLD in this process must not be SIG_IGN, or the exit status is unknown
/// (error unavailable). `max_open_files` is the soft limit of open files of the programs, set immediately after their
/// start; default: that of this process. `executor` must outlive the returned object.
[[nodiscard]] PINTLE_EXPORT std::unique_ptr<Programs> make_real_programs(
    Executor& executor, std::optional<std::uint64_t> max_open_files = {});

}  // namespace pintle
