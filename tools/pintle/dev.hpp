// SPDX-License-Identifier: Apache-2.0
// pintle dev: the embedded API server on a socket, until a signal.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace pintle::tools {

struct DevOptions {
  std::string listen = "127.0.0.1:0";
  bool tls = false;
  std::string token{};
  std::string token_file{};                 // path of a file with further users; empty: none
  std::string authorization = "allow-all";  // or "rbac"
  bool client_certificate = false;          // reject connections without the client certificate from the kubeconfig
  std::string kubeconfig{};                 // path of a file to write; empty: none
  std::string now{};                        // fixed time (RFC 3339) for all timestamps; empty: the current time
  std::string faults{};                     // path of a file with faults; empty: none
  double rate = 0;                          // maximum requests per second; 0: no limit
  std::size_t max_connections = 4096;
  std::size_t tls_record = 4096;        // maximum content bytes in a TLS record
  std::vector<std::string> services{};  // "NAME.NAMESPACE=URL", of services with webhooks
  std::vector<std::string> pods{};      // "NAMESPACE/NAME:PORT=URL", for the subresource proxy
  std::string data{};                   // path of the file that keeps the objects; empty: in memory only
  std::string load{};                   // path of a folder with manifests to apply at the start; empty: none
  std::string record{};                 // path of the file to which requests are recorded; empty: none
  bool controllers = false;             // run the controllers of workloads, and the life of Pods
  std::string version{};
};

// Serves until SIGINT or SIGTERM, which the caller must have blocked in all threads. Prints "ready URL" to standard
// output when it serves. An error is printed to standard error on one line; each error in `faults` has its own line.
// Returns the exit code: 0; 1 for an error of the system; 2 for invalid options.
[[nodiscard]] int run_dev(const DevOptions& options);

}  // namespace pintle::tools
