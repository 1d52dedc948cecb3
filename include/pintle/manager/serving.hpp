// SPDX-License-Identifier: Apache-2.0
// ServingOptions: how a manager serves its pages (health, metrics, /debug/), and who may read them. Each option
// requires ManagerOptions::listen; otherwise start() returns an error.
#pragma once

#include <string>

namespace pintle {

struct ServingOptions {
  /// Serves the pages over HTTPS. Without certificate files, a certificate is generated for this run and replaced once
  /// a year.
  bool tls = false;
  /// The certificate (PEM, with its chain) and its key. The two files must be given together, and imply HTTPS. After a
  /// change they are read again within 10 seconds.
  std::string certificate_file{};
  std::string key_file{};
  /// Restricts /metrics and /debug/ to users to whom the cluster permits access. The bearer token of a request is
  /// checked by a TokenReview; its user, the path and the verb are checked by a SubjectAccessReview. A permission is
  /// valid for a minute, a refusal for ten seconds. /healthz and /readyz are not restricted. Requires TLS, unless only
  /// this machine can connect.
  ///
  /// Without this option any client that can connect may read /debug/. To exclude web pages of other sites, a request
  /// is refused with status 403 if its Host is neither an IP address nor localhost nor a name of this machine, or if
  /// its Origin is another site.
  bool authorize = false;
  /// Accepts only tokens for this audience. The TokenReview requests this audience, and the result of the TokenReview
  /// must contain it. Default: any token that the API server accepts for itself. Requires `authorize`.
  std::string audience{};
  bool profiling = false;  ///< serves /debug/profile and /debug/heap, with or without ManagerOptions::debug
};

/// The default value of a member. If the initializer were `{}`, GCC 12 would report the member as uninitialized in the
/// code of users (-O3 -Wall).
[[nodiscard]] inline ServingOptions default_serving_options() noexcept { return {}; }

}  // namespace pintle
