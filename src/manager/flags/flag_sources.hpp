// SPDX-License-Identifier: Apache-2.0
// The sources of flags: the command line, the environment and a file.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <pintle/manager/manager.hpp>

#include "flag_table.hpp"

namespace pintle {

struct GivenFlag {
  std::string text{};
  FlagSource source = FlagSource::command_line;
  std::string where{};  // "--log-level", "PINTLE_LOG_LEVEL", "operator.yaml: line 3: log-level"
};
using GivenFlags = std::map<std::string, GivenFlag>;  // by the name of the flag

struct CommandLine {
  GivenFlags given{};
  std::string help{};  // the help text if --help was given; otherwise empty
};
// Error: invalid; the message names the unknown flag.
[[nodiscard]] Result<CommandLine> read_command_line(const FlagTable& table, const ManagerOptions& options);

struct Environment {
  GivenFlags given{};
  std::vector<std::string> warnings{};  // variables with the prefix that belong to no flag
};
// An empty variable counts as not set.
[[nodiscard]] Environment read_environment(const FlagTable& table, const ManagerOptions& options);

// `file` is the name of the file with this text. Error: invalid; the message names the file and the line.
[[nodiscard]] Result<GivenFlags> read_config(const FlagTable& table, const std::string& file, const std::string& text);

}  // namespace pintle
