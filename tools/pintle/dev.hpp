// pintle dev: the embedded API server on a socket, until a signal.
#pragma once

#include <cstddef>
#include <string>

namespace pintle::tools {

struct DevOptions {
  std::string listen = "127.0.0.1:0";
  bool tls = false;
  std::string token{};
  bool client_certificate = false;  // let nobody in without the one in the kubeconfig
  std::string kubeconfig{};         // a file to write; empty: none
  std::string now{};                // the time of day, RFC 3339, that every object is stamped with; empty: the real one
  std::string faults{};             // a file to read; empty: none
  double rate = 0;                  // requests a second; 0: no limit
  std::size_t max_connections = 4096;
  std::string version{};
};

// Serves until SIGINT or SIGTERM, which the caller must have blocked in every thread. Prints "ready URL" on standard
// output when it serves and one line on standard error when it cannot, one for each mistake in `faults`. The exit code:
// 0, 1 where the machine refuses, 2 for wrong options.
[[nodiscard]] int run_dev(const DevOptions& options);

}  // namespace pintle::tools
