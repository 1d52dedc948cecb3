// SPDX-License-Identifier: Apache-2.0
// The commands of this program as a CommandReference, and hints for mistyped arguments. Both are derived from CLI::App,
// so a new command or option needs nothing here.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include "base/reference/command_reference.hpp"

namespace pintle::tools {

[[nodiscard]] CommandReference reference_of(const CLI::App& app);

// Returns the error for the first argument that is not an option or command where it stands, with a suggestion; "" if
// there is none. The other errors are left to CLI::App::parse().
[[nodiscard]] std::string unknown_argument(const CLI::App& app, int argc, const char* const* argv);

}  // namespace pintle::tools
