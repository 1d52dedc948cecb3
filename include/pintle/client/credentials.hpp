// SPDX-License-Identifier: Apache-2.0
// The credentials of a cluster besides tokens and certificates: credential plugins, OpenID Connect, impersonation.
#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include <pintle/base/time.hpp>

namespace pintle {

/// The user that the requests impersonate (headers Impersonate-…). The credentials must permit this.
struct Impersonation {
  std::string user{};  ///< empty: no impersonation
  std::string uid{};
  std::vector<std::string> groups{};
  std::vector<std::pair<std::string, std::vector<std::string>>> extra{};

  friend bool operator==(const Impersonation&, const Impersonation&) = default;
};

/// Whether a credential plugin may interact with a person at the terminal of this process.
enum class InteractiveMode {
  never,
  if_available,  ///< if the standard input is a terminal
  always,        ///< without a terminal, the plugin is not run and requests fail
};

/// A program that prints a credential: `exec` of a user in a kubeconfig (client.authentication.k8s.io).
struct ExecPlugin {
  std::string api_version = "client.authentication.k8s.io/v1";  ///< or …/v1beta1
  std::string command{};                                        ///< a path, or a name that is searched in $PATH
  std::vector<std::string> arguments{};
  std::vector<std::pair<std::string, std::string>> environment{};  ///< in addition to that of this process
  InteractiveMode interactive_mode = InteractiveMode::if_available;
  std::string install_hint{};                  ///< part of the error if the program is missing
  std::string cluster_info{};                  ///< JSON of spec.cluster in KUBERNETES_EXEC_INFO; empty: not passed
  Duration timeout = std::chrono::minutes(1);  ///< of a run without a terminal; with one, it is 10 minutes
};

/// A provider of tokens: `auth-provider` with the name `oidc` of a user in a kubeconfig. Expired tokens are refreshed
/// with the refresh token. New tokens are kept in memory.
struct OidcProvider {
  std::string issuer_url{};  ///< https://…; the issuer serves /.well-known/openid-configuration below it
  std::string client_id{};
  std::string client_secret{};
  std::string id_token{};       ///< used until it expires
  std::string refresh_token{};  ///< empty: no new token can be obtained
  std::string ca{};             ///< PEM; trusted certificates of the provider; empty: those of the system
};

}  // namespace pintle
