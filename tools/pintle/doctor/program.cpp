// SPDX-License-Identifier: Apache-2.0
#include "doctor/program.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <pintle/base/text.hpp>
#include <pintle/json/value.hpp>

#include "base/reference/shell_word.hpp"

namespace pintle::doctor {
namespace {

class ProgramReader {
 public:
  ProgramReader(Programs& programs, const std::vector<std::string>& command, const std::stop_token& stop)
      : programs_(programs), command_(command), stop_(stop) {}

  // Returns the standard output of the program with one more flag.
  [[nodiscard]] Result<std::string> output(const std::string& flag) const {
    ProgramCall call{.program = command_.front(),
                     .arguments = {command_.begin() + 1, command_.end()},
                     .timeout = std::chrono::seconds(10),
                     .max_output = std::size_t{16} << 20U};
    call.arguments.push_back(flag);
    auto run = programs_.run(call, stop_);
    if (!run) {
      return fail(ErrorCode::invalid, fmt::format("cannot run {} {}: {}", command_.front(), flag, run.error().message));
    }
    if (run->status == 0) return std::move(run->output);
    std::string why(trim(run->errors));
    if (why.empty()) why = "give an operator that calls run_until_signal";
    return fail(ErrorCode::invalid,
                fmt::format("{} {} failed with exit status {}: {}", command_.front(), flag, run->status, why));
  }

  [[nodiscard]] Result<Program> read(const std::string& name) const {
    Program program{.name = name};
    for (const std::string& one : command_) program.command += (program.command.empty() ? "" : " ") + shell_word(one);

    auto crds = objects("--print-crds");
    if (!crds) return fail(std::move(crds.error()));
    program.crds = std::move(*crds);

    const auto printed = output("--print-rbac");
    if (!printed) return fail(printed.error());
    auto roles = parse("--print-rbac", home_roles(*printed));
    if (!roles) return fail(std::move(roles.error()));
    program.roles = std::move(*roles);
    if (printed->empty()) {
      return fail(ErrorCode::invalid, fmt::format("{} --print-rbac prints no role; give an operator that calls "
                                                  "run_until_signal",
                                                  command_.front()));
    }

    // An operator with webhooks requires flags that it may have in the cluster only.
    auto webhooks = objects("--print-webhooks");
    if (webhooks) {
      program.webhooks = std::move(*webhooks);
    } else {
      program.webhooks_error = webhooks.error().message;
    }
    return program;
  }

 private:
  [[nodiscard]] Result<std::vector<Object>> parse(const std::string& flag, std::string_view text) const {
    auto documents = json::parse_yaml_stream(text);
    if (!documents) {
      return fail(ErrorCode::invalid, fmt::format("the output of {} {} is not YAML: {}", command_.front(), flag,
                                                  documents.error().message));
    }
    std::vector<Object> objects;
    for (const json::Value& one : *documents) {
      Object object(one);
      if (object.kind().empty() || object.name().empty()) {
        return fail(ErrorCode::invalid, fmt::format("the output of {} {} contains something else than objects; give an "
                                                    "operator that calls run_until_signal",
                                                    command_.front(), flag));
      }
      bool is_known = false;
      for (const Object& other : objects) is_known = is_known || other == object;
      if (!is_known) objects.push_back(std::move(object));
    }
    return objects;
  }
  [[nodiscard]] Result<std::vector<Object>> objects(const std::string& flag) const {
    auto text = output(flag);
    if (!text) return fail(std::move(text.error()));
    return parse(flag, *text);
  }

  Programs& programs_;
  const std::vector<std::string>& command_;
  const std::stop_token& stop_;
};

using Command = std::vector<std::string>;

// Returns the commands that the operator may have in the cluster, the most complete one first. In a Pod, an operator
// reads both namespaces from the Pod. The flag of the Lease is invalid without leader election.
std::vector<Command> commands_in_cluster(Command command, const Deployed& deployed) {
  if (command.size() == 1) command.insert(command.end(), deployed.arguments.begin(), deployed.arguments.end());
  std::vector<Command> all{command};
  if (deployed.namespace_.empty()) return all;
  for (const std::string flag : {"--webhook-service-namespace", "--leader-elect-resource-namespace"}) {
    const bool is_set = std::ranges::any_of(command, [&](const std::string& one) { return one.starts_with(flag); });
    if (is_set) continue;
    command.push_back(flag + "=" + deployed.namespace_);
    all.insert(all.begin(), command);
  }
  return all;
}

bool prints_same(const Program& a, const Program& b) {
  return a.crds == b.crds && a.roles == b.roles && a.webhooks == b.webhooks && a.webhooks_error == b.webhooks_error;
}

}  // namespace

std::string home_roles(std::string_view printed) {
  constexpr std::string_view separator = "---\n";
  constexpr std::string_view mark = "# In the cluster ";
  std::string kept;
  while (!printed.empty()) {
    auto end = printed.find("\n---\n");
    end = end == std::string_view::npos ? printed.size() : end + 1;
    std::string_view document = printed.substr(0, end);
    printed.remove_prefix(end);
    if (document.starts_with(separator)) document.remove_prefix(separator.size());
    if (!document.starts_with(mark)) kept.append(separator).append(document);
  }
  return kept;
}

Result<Program> read_program(Programs& programs, const std::vector<std::string>& command,
                             const FindDeployed& find_deployed, const std::stop_token& stop) {
  const auto version = ProgramReader(programs, command, stop).output("--version");
  if (!version) return fail(version.error());
  const std::string name = version->substr(0, version->find_first_of(" \n"));
  auto program = ProgramReader(programs, command, stop).read(name);
  for (const Command& one : commands_in_cluster(command, find_deployed(name))) {
    if (one == command) break;
    auto read = ProgramReader(programs, one, stop).read(name);
    if (!read) continue;
    if (!program || !prints_same(*read, *program)) return read;
    break;
  }
  return program;
}

}  // namespace pintle::doctor
