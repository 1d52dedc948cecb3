// SPDX-License-Identifier: Apache-2.0
// Reads the credentials of a kubeconfig user, except certificates.
#pragma once

#include <string>

#include <pintle/client/cluster.hpp>

#include "kubeconfig_entry_reader.hpp"

namespace pintle {

// Sets the token, basic authentication, impersonation, plugin and provider of `result`. Errors are recorded in `user`.
// `cluster` is the entry of the cluster, for a plugin that gets information about it.
void read_credentials(EntryReader& user, EntryReader& cluster, const http::Endpoint& endpoint, Cluster& result);

}  // namespace pintle
