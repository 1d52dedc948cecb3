// The kubeconfig that leads to a development server.
#pragma once

#include <string>

#include <pintle/base/result.hpp>
#include <pintle/http/certificates.hpp>

namespace pintle::tools {

struct KubeconfigContent {
  std::string url{};
  std::string ca{};         // PEM; empty: none
  std::string token{};      // empty: none
  http::Identity client{};  // its certificate is empty: none
};

// Whether the path is free or holds a file that write_kubeconfig() wrote; else an error that says what to do.
[[nodiscard]] Result<void> check_kubeconfig_path(const std::string& path);

// Writes the file whole, readable by its owner alone. Never over a file that it did not write.
[[nodiscard]] Result<void> write_kubeconfig(const std::string& path, const KubeconfigContent& content);

}  // namespace pintle::tools
