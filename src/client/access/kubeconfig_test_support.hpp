// SPDX-License-Identifier: Apache-2.0
// Test support for kubeconfigs: a certificate with its key, and the texts of kubeconfigs.
#pragma once

#include <chrono>
#include <string>

#include <pintle/base/time.hpp>
#include <pintle/http/certificates.hpp>
#include <pintle/object/bytes.hpp>

namespace pintle::kubeconfig_samples {

inline constexpr WallTime issued = WallTime(std::chrono::seconds(1'700'000'000));  // 2023-11-14T22:13:20Z
inline constexpr WallTime expiry = issued + std::chrono::hours(1);

inline http::KeyPair new_pair() {
  return http::make_authority({.common_name = "a", .not_before = issued, .not_after = expiry}).value();
}

inline const http::KeyPair identity = new_pair();
inline const std::string& certificate = identity.certificate;
inline const std::string& key = identity.key;
// A key with the passphrase "secret".
inline const std::string locked_key = R"(-----BEGIN ENCRYPTED PRIVATE KEY-----
MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAgAadpN5vnJrQICCAAw
DAYIKoZIhvcNAgkFADAdBglghkgBZQMEAQIEEFwvJqXFWgR3b44sPjdfLyYEgZDQ
ssgQRKDSR9knyypjKXeuGv0C3bFMg03U+05KqO5EQXzx/HzfO+XJvdGjXQZ/FC9H
ptstnDC5K3++rjOhenRP76bitFm3T3/ow8OnaJkG/udMXTMOd27ZMcnKfZLXO4se
rKeeEybxJITtmfszTGIQc+IA6ETUxtY6dWTwz7aDGNcnSEpBxY7aUrB2a1H1bPE=
-----END ENCRYPTED PRIVATE KEY-----
)";
inline const std::string certificate_data = Bytes(certificate).to_base64();

// Returns a kubeconfig with one context of one cluster and one user, with these fields.
inline std::string config_with(const std::string& cluster, const std::string& user) {
  return "current-context: dev\n"
         "contexts: [{name: dev, context: {cluster: c, user: u}}]\n"
         "clusters: [{name: c, cluster: {" +
         cluster +
         "}}]\n"
         "users: [{name: u, user: {" +
         user + "}}]\n";
}

inline std::string plain_config(const std::string& name) {
  return "current-context: " + name + "\ncontexts: [{name: " + name + ", context: {cluster: " + name +
         ", user: " + name + "}}]\nclusters: [{name: " + name + ", cluster: {server: \"https://" + name +
         "\"}}]\nusers: [{name: " + name + ", user: {token: of-" + name + "}}]\n";
}

}  // namespace pintle::kubeconfig_samples
