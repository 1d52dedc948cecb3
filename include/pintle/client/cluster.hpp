// SPDX-License-Identifier: Apache-2.0
// Cluster: the address of an API server, credentials and default namespace, from a kubeconfig, a pod, or code.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/base/result.hpp>
#include <pintle/base/time.hpp>
#include <pintle/client/credentials.hpp>
#include <pintle/http/message.hpp>

namespace pintle {

/// A plain value; safe to share once loaded. The first of these that is set identifies the client: token or token_file;
/// username; a client certificate in the endpoint; exec; oidc. A client certificate is also used beside a token.
struct Cluster {
  std::shared_ptr<const http::Endpoint> endpoint{};
  std::string token{};                 ///< bearer token; if there is a token file, used only while it contains no token
  std::string token_file{};            ///< file with the bearer token; changes take effect within a minute
  std::string namespace_ = "default";  ///< of the context or of the pod
  std::string origin{};                ///< for messages: "context dev of /home/a/.kube/config", "in-cluster"
  std::vector<std::string> warnings{};  ///< logged by Client: "the certificate of https://… is not verified …"
  std::string username{};               ///< of basic authentication; empty: none
  std::string password{};
  Impersonation impersonation{};
  std::shared_ptr<const ExecPlugin> exec{};
  std::shared_ptr<const OidcProvider> oidc{};
  /// The files from which the certificates and the key of the endpoint were read; empty: they are not in a file. The
  /// client reads them again every minute while it sends requests, and after the server rejected them.
  std::string ca_file{};
  std::string client_certificate_file{};
  std::string client_key_file{};
};

/// Reads a kubeconfig: clusters, users and contexts, with embedded data or with files relative to the kubeconfig. An
/// empty `context` means current-context. Errors: invalid, with the file, the entry and what to do; unsupported, with
/// the name of a feature that is not implemented (an auth-provider other than oidc).
///
/// A cluster without proxy-url uses the proxy in $HTTPS_PROXY (for http: $HTTP_PROXY), unless $NO_PROXY excludes the
/// server. The rules are those of Go programs: upper case takes precedence over lower case; $NO_PROXY lists host names
/// (with their subdomains; a leading dot means only the subdomains), addresses and networks (10.0.0.0/8), each with an
/// optional port, or "*". Localhost and loopback addresses have no proxy.
///
/// With `now`, the dates of certificates are checked at that time. A client certificate that has expired is an error,
/// or a warning if there is also a token. A client certificate that is not yet valid gives a warning, and so does a
/// certificate authority if all of its certificates have expired.
[[nodiscard]] PINTLE_EXPORT Result<Cluster> load_kubeconfig(const std::string& file, std::string_view context = {},
                                                            std::optional<WallTime> now = {});

/// Parses a kubeconfig from a text, for example from a Secret; `origin` is the name of the text in messages. The text
/// must not refer to files or contain a credential plugin: this process would use them with its own permissions, which
/// the author of the text may not have. Errors: those of load_kubeconfig(), and invalid for a file path, a plugin and
/// an auth-provider.
[[nodiscard]] PINTLE_EXPORT Result<Cluster> parse_kubeconfig(std::string_view text, const std::string& origin,
                                                             std::string_view context = {},
                                                             std::optional<WallTime> now = {});

/// Cluster::origin of load_in_cluster().
inline constexpr std::string_view in_cluster_origin = "in-cluster";

/// Uses the service account of the pod: KUBERNETES_SERVICE_HOST and _PORT, and the mounted token, CA and namespace.
/// `root` is prepended to the path /var/run/secrets, for tests. Error: invalid.
[[nodiscard]] PINTLE_EXPORT Result<Cluster> load_in_cluster(const std::string& root = "",
                                                            std::optional<WallTime> now = {});

/// Finds the cluster of an operator that was started by hand or in a pod. The first of these that applies is used:
/// 1. `kubeconfig`, unless it is empty;
/// 2. the files in $KUBECONFIG, separated by colons and merged as kubectl does: the first file that has an entry, or
///    sets current-context, takes precedence, and a missing file counts as empty;
/// 3. the service account of the pod, if the variables of load_in_cluster() are set;
/// 4. ~/.kube/config.
///
/// Error: invalid, with the places that were tried.
[[nodiscard]] PINTLE_EXPORT Result<Cluster> find_cluster(const std::string& kubeconfig = "",
                                                         std::string_view context = {},
                                                         std::optional<WallTime> now = {});

}  // namespace pintle
