// SPDX-License-Identifier: Apache-2.0
// The Deployments of the program, found by the label that --print-deploy sets.
#pragma once

#include <string>
#include <vector>

#include "doctor/access_rules.hpp"
#include "doctor/options.hpp"

namespace pintle::doctor {

// `input.program` must exist. The reference is valid as long as the cluster reader.
[[nodiscard]] const Result<Listing>& deployments_of_program(const CheckInput& input);
[[nodiscard]] std::string deployment_label(const std::string& name);  // "app.kubernetes.io/name=hello"
// Returns the arguments of the first container of the first such Deployment, and its namespace. Without a Deployment,
// the namespace is that of the options.
[[nodiscard]] Deployed find_deployed(ClusterReader& cluster, const DoctorOptions& options, const std::string& name);
[[nodiscard]] ServiceAccount service_account_of(const Object& deployment);

}  // namespace pintle::doctor
