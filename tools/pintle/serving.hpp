// SPDX-License-Identifier: Apache-2.0
// The parts that the commands with a server share.
#pragma once

#include <csignal>
#include <string>
#include <utility>

#include <pintle/http/listen_address.hpp>

namespace pintle::tools {

// Returns "" for an invalid address; the server reports the error.
inline std::string host_of(const std::string& listen) {
  auto address = http::parse_listen_address(listen);
  return address ? std::move(address->host) : std::string();
}

// Waits for SIGINT or SIGTERM, which all threads must have blocked.
inline void wait_for_signal() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  int received = 0;
  while (sigwait(&signals, &received) != 0) {}
}

}  // namespace pintle::tools
