// SPDX-License-Identifier: Apache-2.0
// Runs a credential plugin and reads the ExecCredential that it prints.
#pragma once

#include <stop_token>
#include <string>
#include <string_view>

#include <pintle/base/log.hpp>
#include <pintle/base/programs.hpp>
#include <pintle/base/result.hpp>
#include <pintle/client/credentials.hpp>

#include "exec_plugin_metrics.hpp"
#include "renewal.hpp"

namespace pintle {

// Returns the call of a plugin. Error: invalid, if it must be interactive and there is no terminal.
[[nodiscard]] Result<ProgramCall> exec_plugin_call(const ExecPlugin& plugin, bool has_terminal);

// Reads the output of a plugin. Error: invalid.
[[nodiscard]] Result<ObtainedCredential> read_exec_credential(const ExecPlugin& plugin, std::string_view output);

// Runs a plugin once. `programs` may be null, which is an error. `origin` is that of the cluster, for messages. Errors:
// invalid, for a missing program or a wrong output; unavailable, if the plugin fails; cancelled. The log gets what a
// successful plugin has written to its standard error, unless it was shown at the terminal.
[[nodiscard]] Result<ObtainedCredential> run_exec_plugin(const ExecPlugin& plugin, Programs* programs,
                                                         const std::string& origin, std::stop_token stop,
                                                         const ExecPluginMetrics& metrics = ExecPluginMetrics(nullptr),
                                                         const Log& log = {});

}  // namespace pintle
