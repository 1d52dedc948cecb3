// SPDX-License-Identifier: Apache-2.0
// SimulatedPrograms: the simulated implementation of Programs. A program is a function; its run takes virtual time.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/base/mutex.hpp>
#include <pintle/base/programs.hpp>

namespace pintle {

/// The limits of a ProgramCall apply, and a program that was not added does not exist. Waits only through the executor,
/// which must outlive this object. Thread-safe.
class PINTLE_EXPORT SimulatedPrograms final : public Programs {
 public:
  struct Run {
    ProgramResult result{};
    Duration takes{};  ///< from the start of the program to its end
  };
  using Program = std::function<Run(const ProgramCall&)>;

  explicit SimulatedPrograms(Executor& executor) : executor_(executor), mutex_(executor) {}

  /// Adds or replaces the program with this name or path. The function may be called on several threads at the same
  /// time.
  void add(std::string name, Program program);
  /// Removes a program.
  void remove(const std::string& name);
  void set_terminal(bool has_terminal);  ///< default: no terminal

  using Programs::run;
  Result<ProgramResult> run(const ProgramCall& call, std::stop_token stop) override;
  [[nodiscard]] bool has_terminal() const override;

  /// All calls so far, in the order of their starts, including those of missing programs.
  [[nodiscard]] std::vector<ProgramCall> calls() const;
  /// The maximum number of programs that ran at the same time.
  [[nodiscard]] std::size_t max_running() const;

 private:
  [[nodiscard]] Program begin(const ProgramCall& call);
  [[nodiscard]] Result<ProgramResult> finish(const ProgramCall& call, Run run, const std::stop_token& stop);

  Executor& executor_;
  mutable Mutex mutex_;
  std::map<std::string, Program> programs_ PINTLE_GUARDED_BY(mutex_);
  std::vector<ProgramCall> calls_ PINTLE_GUARDED_BY(mutex_);
  std::size_t running_ PINTLE_GUARDED_BY(mutex_) = 0;
  std::size_t max_running_ PINTLE_GUARDED_BY(mutex_) = 0;
  bool has_terminal_ PINTLE_GUARDED_BY(mutex_) = false;
};

}  // namespace pintle
