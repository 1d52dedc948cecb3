// SPDX-License-Identifier: Apache-2.0
// A warning about pages of an operator in a pod to which the kubelet cannot connect.
#pragma once

#include <string>

#include <pintle/base/log.hpp>
#include <pintle/client/cluster.hpp>

namespace pintle {

// Logs a warning if the operator runs in a pod of the cluster `home` and only the pod can connect to `listen`.
void warn_of_unreachable_pages(const Cluster& home, const std::string& listen, const Log& log);

}  // namespace pintle
