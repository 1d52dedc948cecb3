// SPDX-License-Identifier: Apache-2.0
#include "doctor/doctor.hpp"

#include <cstdio>
#include <utility>

#include <pintle/base/terminal.hpp>
#include <pintle/http/net_transport.hpp>

#include "doctor/checks/checks.hpp"
#include "doctor/commands.hpp"
#include "doctor/deployments.hpp"
#include "doctor/report.hpp"

namespace pintle::doctor {
namespace {

int refuse_options(const Error& error) {
  std::fprintf(stderr, "pintle doctor: %s\n", escape_for_terminal(error.to_string()).c_str());
  return 2;
}

// Requests a stop after a time.
class TimeLimit {
 public:
  TimeLimit(Executor& executor, Duration time)
      : thread_(executor.spawn({.name = "time-limit"}, [this, &executor, time] {
          if (executor.sleep_for(time, ended_.get_token())) over_.request_stop();
        })) {}
  ~TimeLimit() { ended_.request_stop(); }
  TimeLimit(const TimeLimit&) = delete;
  TimeLimit& operator=(const TimeLimit&) = delete;

  [[nodiscard]] std::stop_token over() const { return over_.get_token(); }

 private:
  std::stop_source ended_;
  std::stop_source over_;
  Thread thread_;  // last, so that its destructor runs first
};

}  // namespace

Result<std::vector<Line>> diagnose(Client& client, Programs& programs, const DoctorOptions& options) {
  const TimeLimit limit(client.transport().executor(), options.timeout);
  ClusterReader cluster(client, options.max_objects, limit.over());
  std::optional<Program> program;
  if (!options.command.empty()) {
    const auto find = [&](const std::string& name) { return find_deployed(cluster, options, name); };
    auto read = read_program(programs, options.command, find, limit.over());
    if (!read) return fail(std::move(read.error()));
    program = std::move(*read);
  }
  std::vector<Line> lines = run_checks({.cluster = cluster, .program = program, .options = options});
  select_cluster(lines, options);
  return lines;
}

int run_doctor(const DoctorOptions& options) {
  const auto executor = make_real_executor();
  auto cluster = find_cluster(options.kubeconfig, options.context, executor->wall_now());
  if (!cluster) return refuse_options(cluster.error());
  const auto programs = make_real_programs(*executor);
  Client client({.transport = http::make_network_transport(*executor, {}),
                 .cluster = std::move(*cluster),
                 .user_agent = "pintle",
                 .timeout = request_timeout});
  const auto lines = diagnose(client, *programs, options);
  if (!lines) return refuse_options(lines.error());
  std::fputs((options.format == "json" ? print_json(*lines) : print_text(*lines)).c_str(), stdout);
  return exit_code_of(*lines);
}

}  // namespace pintle::doctor
