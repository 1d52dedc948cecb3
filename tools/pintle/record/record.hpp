// SPDX-License-Identifier: Apache-2.0
// pintle record: a server in front of a cluster that records the requests to it.
#pragma once

#include <string>

namespace pintle::tools {

struct RecordOptions {
  std::string kubeconfig{};  // of the cluster; empty: as for kubectl
  std::string context{};
  std::string out{};               // path of the scenario
  std::string write_kubeconfig{};  // path of a file to write, for the recorded clients
  std::string listen = "127.0.0.1:0";
};

// Serves until SIGINT or SIGTERM, which the caller must have blocked in all threads. Prints "ready URL" to standard
// output when it serves. Returns the exit code: 0; 1 for an error of the system; 2 for invalid options.
[[nodiscard]] int run_record(const RecordOptions& options);

}  // namespace pintle::tools
