// Certificates: a private authority and what it signs, for development servers, webhooks and tests.
#pragma once

#include <string>
#include <vector>

#include <pintle/base/result.hpp>
#include <pintle/base/time.hpp>

namespace pintle::http {

// A certificate with its private key, both PEM.
struct Identity {
  std::string certificate{};
  std::string key{};
};

struct CertificateOptions {
  std::string common_name{};                 // the user, in a client certificate for Kubernetes
  std::vector<std::string> organizations{};  // the groups of that user
  std::vector<std::string> names{};          // DNS names, wildcards allowed, and addresses that a server is reached by
  WallTime not_before{};
  WallTime not_after{};
};

// Each makes a new P-256 key. Errors: invalid, naming the option or part that cannot be used. Thread-safe.
[[nodiscard]] Result<Identity> make_authority(const CertificateOptions& options);
[[nodiscard]] Result<Identity> make_server_certificate(const Identity& authority, const CertificateOptions& options);
[[nodiscard]] Result<Identity> make_client_certificate(const Identity& authority, const CertificateOptions& options);

}  // namespace pintle::http
