// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <sstream>
#include <string>

#include <unistd.h>

#include <pintle/base/programs.hpp>
#include <pintle/base/signals.hpp>
#include <pintle/base/terminal.hpp>
#include <pintle/manager/manager_host.hpp>
#include <pintle/manager/plan.hpp>

#include "../manager_state.hpp"
#include "base/output/standard_output.hpp"
#include "exit_codes.hpp"
#include "open_files.hpp"

namespace pintle {
namespace {

void print_error(const std::string& program, const Error& error) {
  std::fprintf(stderr, "%s: %s\n", escape_for_terminal(program).c_str(),
               escape_for_terminal(error.to_string()).c_str());
}

// Returns the exit code of a program that has printed its result.
int after_output(const std::string& program, int code) {
  const auto flushed = flush_standard_output();
  if (flushed) return code;
  print_error(program, flushed.error());
  return code == exit_stopped ? exit_failed : code;
}

int print_text(const std::string& program, const Result<std::string>& text) {
  if (!text) {
    print_error(program, text.error());
    return text.error().code == ErrorCode::unavailable ? exit_failed : exit_usage;
  }
  std::fputs(text->c_str(), stdout);
  return after_output(program, exit_stopped);
}

int print_plan(Manager& manager, const std::string& object) {
  const auto plan = manager.plan(object);
  if (!plan) {
    print_error(manager.options().name, plan.error());
    const ErrorCode code = plan.error().code;
    return code == ErrorCode::invalid || code == ErrorCode::not_found ? exit_usage : exit_cluster;
  }
  std::istringstream lines(plan->print());
  for (std::string line; std::getline(lines, line);) std::printf("%s\n", escape_for_terminal(line).c_str());
  const bool has_failed = std::ranges::any_of(plan->reconciles, [](const auto& one) { return one.outcome == "error"; });
  return after_output(manager.options().name, has_failed ? exit_failed : exit_stopped);
}

}  // namespace

bool Manager::State::has_output() const {
  return !flags || !flags->text.empty() || flags->version || flags->print_deploy || flags->print_crds ||
         flags->print_rbac || flags->print_webhooks;
}

Result<std::string> Manager::State::output() {
  if (!flags) return fail(flags.error());
  if (!flags->text.empty()) return flags->text;
  if (flags->version) return version_line(options);
  if (flags->print_deploy) return print_deployment();
  if (auto wrong = declaration_errors(); !wrong.empty()) return fail(joined(std::move(wrong)));
  if (flags->print_crds) return print_crds();
  if (flags->print_rbac) return print_rbac(roles());
  return print_webhooks();
}

int run_until_signal(Manager& manager) {
  Manager::State& state = *manager.state_;
  if (ManagerHost* host = HostedThread::current()) {
    return state.has_output() ? host->print(manager, [&state] { return state.output(); }) : host->run(manager);
  }
  const std::string& name = state.options.name;
  const Result<Flags>& flags = state.flags;
  if (flags && flags->text.empty() && !flags->version && !flags->print_deploy) {
    const std::vector<Error> wrong = state.declaration_errors();
    for (const Error& error : wrong) print_error(name, error);
    if (!wrong.empty()) return exit_usage;
  }
  if (state.has_output()) return print_text(name, state.output());
  if (!flags->plan.empty()) return print_plan(manager, flags->plan);

  state.owns_process = true;
  const std::uint64_t open_files = raise_open_file_limit();
  if (state.options.programs == nullptr && state.executor.scheduler() == nullptr) {
    state.options.programs = make_real_programs(state.executor, open_files);
  }
  int signals = 0;
  const SignalHandler watch([&](int) {
    if (++signals > 1) _exit(exit_second_signal);
    manager.request_stop();
  });
  if (const auto& watching = watch.started(); !watching) {
    print_error(name, watching.error());
    return exit_failed;
  }
  if (const auto started = manager.start(); !started) {
    if (started.error().code == ErrorCode::cancelled) return exit_stopped;
    print_error(name, started.error());
    return started.error().code == ErrorCode::invalid ? exit_usage : exit_cluster;
  }
  const auto waited = manager.wait();
  if (!waited) print_error(name, waited.error());
  // A thread that ignores its stop token can be ended only by ending the process.
  state.stop(state.options.stop_timeout, [&](const Error& ignored) {
    print_error(name, ignored);
    _exit(state.has_lost_lease() ? exit_lease_lost : exit_failed);
  });
  const auto ended = manager.wait();
  if (waited && !ended) print_error(name, ended.error());
  if (state.has_lost_lease()) return exit_lease_lost;
  return ended ? exit_stopped : exit_failed;
}

}  // namespace pintle
