// SPDX-License-Identifier: Apache-2.0
// Program: the CRDs, roles and webhook configurations that an operator prints.
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/programs.hpp>
#include <pintle/base/result.hpp>
#include <pintle/object/object.hpp>

namespace pintle::doctor {

struct Program {
  std::string command{};  // as typed, for the commands in actions
  std::string name{};     // of the operator: of its Deployment, roles and webhook configurations
  std::vector<Object> crds{};
  std::vector<Object> roles{};  // those of the home cluster
  std::vector<Object> webhooks{};
  std::string webhooks_error{};  // why --print-webhooks failed; empty: it did not
};

// The installation of an operator in the cluster.
struct Deployed {
  std::vector<std::string> arguments{};
  std::string namespace_{};  // empty: unknown
};
using FindDeployed = std::function<Deployed(const std::string& name)>;

// Runs PROGRAM ARGUMENT... with --version, --print-crds, --print-rbac and --print-webhooks. The output of an operator
// depends on its flags: without arguments, it runs with those of the operator in the cluster, unless it rejects them.
// The namespace of the operator is added as that of its webhooks and of its Lease, if this changes the output. Error:
// invalid, if the program cannot be run or is no operator.
[[nodiscard]] Result<Program> read_program(Programs& programs, const std::vector<std::string>& command,
                                           const FindDeployed& find_deployed, const std::stop_token& stop);

// Returns the text of --print-rbac without the roles for other clusters, which a comment marks.
[[nodiscard]] std::string home_roles(std::string_view printed);

}  // namespace pintle::doctor
