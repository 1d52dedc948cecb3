// ServingOptions: how the pages of a manager (health, metrics, /debug/) are served, and to whom. Each of them needs
// ManagerOptions::listen; without it start() refuses them.
#pragma once

#include <string>

namespace pintle {

struct ServingOptions {
  // https; where there are no files, with a certificate that is made for this run, and anew each year.
  bool tls = false;
  std::string certificate_file{};  // PEM, with its chain; the two files mean TLS, go together, and are read again
  std::string key_file{};          // within 10 seconds when they change
  // Shows /metrics and /debug/ only to those whom the cluster lets see them: the bearer token of a request is checked
  // with a TokenReview, its user, the path and the verb with a SubjectAccessReview. A yes counts for a minute, a no for
  // ten seconds. /healthz and /readyz stay open. Needs TLS, unless only this machine can connect. Without it /debug/
  // is open to whoever can connect, but for web pages: a request with a Host that is not an address, localhost or a
  // name of this machine, or with the Origin of another site, is answered with 403.
  bool authorize = false;
  // Tokens must be for this audience: the TokenReview names it, and its answer must have it. Default: any token that
  // the API server takes for itself. Needs `authorize`.
  std::string audience{};
  bool profiling = false;  // also /debug/profile and /debug/heap, whether or not the rest of /debug/ is there
};

// The initializer of a member. With `{}` in its place GCC 12 takes parts of the member for uninitialized (-O3 -Wall) in
// the user's file.
[[nodiscard]] inline ServingOptions default_serving() noexcept { return {}; }

}  // namespace pintle
