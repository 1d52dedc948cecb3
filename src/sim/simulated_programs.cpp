// SPDX-License-Identifier: Apache-2.0
#include <pintle/sim/simulated_programs.hpp>

#include <algorithm>
#include <utility>

#include <pintle/base/text.hpp>

#include "base/output/last_words.hpp"

namespace pintle {

void SimulatedPrograms::add(std::string name, Program program) {
  const MutexLock lock(mutex_);
  programs_[std::move(name)] = std::move(program);
}

void SimulatedPrograms::remove(const std::string& name) {
  const MutexLock lock(mutex_);
  programs_.erase(name);
}

void SimulatedPrograms::set_terminal(bool has_terminal) {
  const MutexLock lock(mutex_);
  has_terminal_ = has_terminal;
}

bool SimulatedPrograms::has_terminal() const {
  const MutexLock lock(mutex_);
  return has_terminal_;
}

std::vector<ProgramCall> SimulatedPrograms::calls() const {
  const MutexLock lock(mutex_);
  return calls_;
}

std::size_t SimulatedPrograms::max_running() const {
  const MutexLock lock(mutex_);
  return max_running_;
}

Result<ProgramResult> SimulatedPrograms::run(const ProgramCall& call, std::stop_token stop) {
  if (!executor_.may_block()) {
    return fail(ErrorCode::unsupported, "program " + call.program + " cannot be run on thread \"" +
                                            std::string(executor_.thread_name()) + "\", which must not block");
  }
  if (stop.stop_requested()) return fail(ErrorCode::cancelled, "stopped before program " + call.program + " was run");
  const Program program = begin(call);
  auto result = program ? finish(call, program(call), stop)
                        : fail(ErrorCode::not_found, "program " + quote(call.program) + " does not exist");
  const MutexLock lock(mutex_);
  --running_;
  return result;
}

SimulatedPrograms::Program SimulatedPrograms::begin(const ProgramCall& call) {
  const MutexLock lock(mutex_);
  calls_.push_back(call);
  max_running_ = std::max(max_running_, ++running_);
  const auto found = programs_.find(call.program);
  return found == programs_.end() ? Program() : found->second;
}

Result<ProgramResult> SimulatedPrograms::finish(const ProgramCall& call, Run run, const std::stop_token& stop) {
  if (!executor_.sleep_for(std::min(run.takes, call.timeout), stop)) {
    return fail(ErrorCode::cancelled, "stopped while program " + call.program + " ran");
  }
  if (run.takes > call.timeout) {
    return fail(ErrorCode::timeout, "program " + call.program + " did not end within " + format_duration(call.timeout) +
                                        " and was killed" + last_words(run.result.errors));
  }
  if (run.result.output.size() > call.max_output) {
    return fail(ErrorCode::invalid, "program " + call.program + " wrote more than " + std::to_string(call.max_output) +
                                        " bytes to its standard output");
  }
  return std::move(run.result);
}

}  // namespace pintle
