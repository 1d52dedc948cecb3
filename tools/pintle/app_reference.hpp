// SPDX-License-Identifier: Apache-2.0
// The commands of this program as a CommandReference, and messages about wrong arguments. Both are derived from
// CLI::App, so a new command or option needs nothing here.
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "base/reference/command_reference.hpp"

namespace pintle::tools {

[[nodiscard]] CommandReference reference_of(const CLI::App& app);

// The placeholder of an option with these values, "PATTERN:{plain,guard}". Its values are part of the help and
// completed.
[[nodiscard]] std::string placeholder_with(const std::string& placeholder, const std::vector<std::string>& names);
// Also rejects other values.
[[nodiscard]] CLI::Validator one_of(const std::vector<std::string>& names);

// Also prints the arguments of commands that run another program.
class HelpFormatter final : public CLI::Formatter {
 public:
  std::string make_usage(const CLI::App* app, std::string name) const override;
};

// Returns the error for the first argument that is not an option or command where it stands, with a suggestion; "" if
// there is none. The other errors are left to CLI::App::parse().
[[nodiscard]] std::string unknown_argument(const CLI::App& app, int argc, const char* const* argv);

// Returns the message for an error of CLI::App::parse(), which begins with the command.
[[nodiscard]] std::string parse_message(const CLI::App& app, const CLI::ParseError& error);

}  // namespace pintle::tools
