// SPDX-License-Identifier: Apache-2.0
// The checks of `pintle doctor`. Each adds at least one line.
#pragma once

#include <vector>

#include "doctor/line.hpp"
#include "doctor/options.hpp"

namespace pintle::doctor {

void check_server(const CheckInput& input, Lines& lines);        // reachable, and the credentials are accepted
void check_version(const CheckInput& input, Lines& lines);       // the version of Kubernetes
void check_clock(const CheckInput& input, Lines& lines);         // this machine and the server have the same time
void check_crds(const CheckInput& input, Lines& lines);          // served, equal to those of the program, migrated
void check_roles(const CheckInput& input, Lines& lines);         // the ServiceAccount has the rules of the program
void check_webhooks(const CheckInput& input, Lines& lines);      // reachable, and cannot lock the cluster
void check_leases(const CheckInput& input, Lines& lines);        // the holders exist and renew
void check_finalizers(const CheckInput& input, Lines& lines);    // deletions that do not end
void check_hot_keys(const CheckInput& input, Lines& lines);      // objects that change more than once a second
void check_ready(const CheckInput& input, Lines& lines);         // the condition Ready
void check_api_services(const CheckInput& input, Lines& lines);  // aggregated APIs, which discovery needs
void check_operator(const CheckInput& input, Lines& lines);      // the Deployment and the Pods of the program

// Runs all checks. If the server cannot be used, the lines of check_server() are the only ones.
[[nodiscard]] std::vector<Line> run_checks(const CheckInput& input);

}  // namespace pintle::doctor
