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

  friend bool operator==(const Identity&, const Identity&) = default;
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

// A server for one run, with an authority made for it alone; both end in ten years.
struct PrivateIdentity {
  std::string authority{};  // PEM, for those who are to trust it
  Identity server{};
};
// It is reached as localhost, 127.0.0.1, ::1 and `host`, where that is a name or an address and not every address.
[[nodiscard]] Result<PrivateIdentity> make_private_identity(const std::string& common_name, const std::string& host,
                                                            WallTime now);

}  // namespace pintle::http
