// SPDX-License-Identifier: Apache-2.0
// Writes the kubeconfig for a development server.
#pragma once

#include <string>

#include <pintle/base/result.hpp>
#include <pintle/http/certificates.hpp>

namespace pintle::tools {

struct KubeconfigContent {
  std::string url{};
  std::string ca{};        // PEM; empty: none
  std::string token{};     // empty: none
  http::KeyPair client{};  // empty certificate: none
};

// Checks that the path does not exist, or that write_kubeconfig() wrote the file. Errors: already_exists, with a
// message that states the remedy; unavailable.
[[nodiscard]] Result<void> check_kubeconfig_path(const std::string& path);

// Writes the file atomically; only its owner can read it. A file that this function did not write is never replaced.
[[nodiscard]] Result<void> write_kubeconfig(const std::string& path, const KubeconfigContent& content);

}  // namespace pintle::tools
