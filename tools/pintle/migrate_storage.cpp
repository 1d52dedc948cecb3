// SPDX-License-Identifier: Apache-2.0
#include "migrate_storage.hpp"

#include <cstdio>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <pintle/base/terminal.hpp>
#include <pintle/client/client.hpp>
#include <pintle/client/storage_migration.hpp>
#include <pintle/http/net_transport.hpp>

namespace pintle::tools {
namespace {

int refuse(const Error& error, int code) {
  std::fprintf(stderr, "pintle: %s\n", escape_for_terminal(error.to_string()).c_str());
  return code;
}

}  // namespace

int run_migrate_storage(const MigrateStorageOptions& options) {
  auto cluster = find_cluster(options.kubeconfig, options.context);
  if (!cluster) return refuse(cluster.error(), 2);
  const auto executor = make_real_executor();
  pintle::Client client({.transport = http::make_network_transport(*executor, {}),
                         .cluster = std::move(*cluster),
                         .user_agent = "pintle"});
  const auto done = migrate_storage(client, options.crd);
  if (!done) return refuse(done.error(), 1);
  if (done->removed.empty()) {
    fmt::print("{}: all objects are stored as {} already\n", options.crd, done->version);
  } else {
    fmt::print("{}: {} objects are stored as {}; removed from storedVersions: {}\n", options.crd, done->objects,
               done->version, fmt::join(done->removed, ", "));
  }
  return 0;
}

}  // namespace pintle::tools
