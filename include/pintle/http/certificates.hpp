// SPDX-License-Identifier: Apache-2.0
// Creates a private certificate authority and certificates signed by it, for development servers, webhooks and tests.
#pragma once

#include <string>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/base/result.hpp>
#include <pintle/base/time.hpp>

namespace pintle::http {

/// A certificate with its private key, both PEM.
struct KeyPair {
  std::string certificate{};
  std::string key{};

  friend bool operator==(const KeyPair&, const KeyPair&) = default;
};

struct CertificateOptions {
  std::string common_name{};                 ///< in a client certificate for Kubernetes: the user
  std::vector<std::string> organizations{};  ///< in a client certificate for Kubernetes: the groups of the user
  std::vector<std::string> names{};          ///< of a server: DNS names (wildcards allowed) and IP addresses
  WallTime not_before{};
  WallTime not_after{};
};

/// Each function generates a new P-256 key. Error: invalid, with the name of the option or part that cannot be used.
/// Thread-safe.
[[nodiscard]] PINTLE_EXPORT Result<KeyPair> make_authority(const CertificateOptions& options);
[[nodiscard]] PINTLE_EXPORT Result<KeyPair> make_server_certificate(const KeyPair& authority,
                                                                    const CertificateOptions& options);
[[nodiscard]] PINTLE_EXPORT Result<KeyPair> make_client_certificate(const KeyPair& authority,
                                                                    const CertificateOptions& options);

/// A server certificate, and a certificate authority that was created only to sign it, for a server that creates both
/// at each start. Both expire after ten years.
struct SelfSignedKeyPair {
  std::string authority{};  ///< PEM; clients of the server must trust it
  KeyPair server{};
};
/// The server certificate is valid for localhost, 127.0.0.1, ::1 and `host`, unless `host` is empty or means all
/// addresses ("0.0.0.0", "::").
[[nodiscard]] PINTLE_EXPORT Result<SelfSignedKeyPair> make_self_signed_key_pair(const std::string& common_name,
                                                                                const std::string& host, WallTime now);
/// The same for several hosts.
[[nodiscard]] PINTLE_EXPORT Result<SelfSignedKeyPair> make_self_signed_key_pair(const std::string& common_name,
                                                                                const std::vector<std::string>& hosts,
                                                                                WallTime now);

}  // namespace pintle::http
