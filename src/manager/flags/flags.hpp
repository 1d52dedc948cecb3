// SPDX-License-Identifier: Apache-2.0
// Flags: reads flags from the command line, the environment and a file into the options of the manager.
#pragma once

#include <string>
#include <vector>

#include <pintle/manager/manager.hpp>

#include "manager/deploy/manifests.hpp"

namespace pintle {

struct Flags {
  bool print_crds = false;
  bool print_rbac = false;
  bool print_webhooks = false;
  bool print_deploy = false;
  DeployOptions deploy{};
  // The flags that a deployment takes over: all that were given, except those of this machine.
  std::vector<DeployedFlag> deployed{};
  std::string plan{};    // the object of --plan; empty: run the operator
  bool version = false;  // --version was given; nothing else is read then
  std::string text{};    // the text of --help, --print-completion or --print-man; nothing else is read then
  std::vector<std::string> warnings{};  // logged when the log exists
};

// Returns the line that --version prints.
[[nodiscard]] std::string version_line(const ManagerOptions& options);

// Stores the given flags in `options`, whose values are the defaults. Error: invalid; the message names the source.
[[nodiscard]] Result<Flags> read_flags(ManagerOptions& options);

}  // namespace pintle
