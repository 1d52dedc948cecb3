// ServingOptions: how the pages of a manager (health, metrics, /debug/) are served, and to whom.
#pragma once

#include <string>

namespace pintle {

struct ServingOptions {
  bool tls = false;                // https, with a certificate made for this run where there are no files
  std::string certificate_file{};  // PEM, with its chain; the two files mean TLS, go together, and are read again
  std::string key_file{};          // within 10 seconds when they change
  // Shows /metrics and /debug/ only to those whom the cluster lets see them: the bearer token of a request is checked
  // with a TokenReview, its user, the path and the verb with a SubjectAccessReview. A yes counts for a minute, a no for
  // ten seconds. /healthz and /readyz stay open. Needs TLS, unless only this machine can connect.
  bool authorize = false;
  bool profiling = false;  // also /debug/profile and /debug/heap, whether or not the rest of /debug/ is there
};

}  // namespace pintle
