// SPDX-License-Identifier: Apache-2.0
// Front: the entry for requests: determines the sender, routes the request and encodes the response.
#pragma once

#include <string>

#include <pintle/apiserver/server.hpp>
#include <pintle/base/metrics.hpp>
#include <pintle/http/handler.hpp>

#include "../openapi/documents.hpp"
#include "apiserver/access/impersonation.hpp"
#include "apiserver/call/call.hpp"
#include "apiserver/call/service.hpp"
#include "pod_proxy.hpp"
#include "rate_limit.hpp"
#include "request_counts.hpp"
#include "router.hpp"

namespace pintle::apiserver {

struct FrontOptions {
  std::size_t max_body_size = 0;
  double requests_per_second = 0;
  std::string build{};
  ApiServerPods pods{};
};

// Thread-safe.
class Front {
 public:
  Front(Service& service, FrontOptions options);

  // The response is deferred if the request may have to wait for a webhook, a Pod or the data file. An exception is a
  // fault of the server or of a function in its options: it is logged, and the response has status 500.
  [[nodiscard]] http::Response handle(const http::Request& request, const ReadFaults& faults = {}) const;

 private:
  // Returns the response of a part of the work on a request, or that of its exception.
  template <class Work>
  [[nodiscard]] http::Response guarded(const http::Request& request, const Work& work) const;
  // Returns the user as whom the request is handled. 401, 403, and 400 for invalid headers.
  [[nodiscard]] StatusOr<User> admitted_user(const http::Request& request, const http::Target& target) const;
  [[nodiscard]] bool may_wait(const http::Request& request) const;
  [[nodiscard]] http::Response handle_now(const http::Request& request, const ReadFaults& faults) const;
  [[nodiscard]] http::Response handle_uncompressed(const http::Request& request, const ReadFaults& faults) const;
  // Paths outside /api and /apis: health, version, metrics, OpenAPI.
  [[nodiscard]] http::Response handle_root(const http::Request& request, const std::vector<std::string>& parts,
                                           const http::Target& target) const;
  [[nodiscard]] StatusOr<http::Response> handle_api(const http::Request& request, const User& user,
                                                    const http::Target& target, std::vector<std::string> parts,
                                                    const ReadFaults& faults) const;
  [[nodiscard]] StatusOr<http::Response> handle_call(Call& call, bool whole) const;
  [[nodiscard]] StatusOr<http::Response> dispatch(const Call& call) const;

  Service& service_;
  const FrontOptions options_;
  const Impersonation impersonation_;
  const PodProxy pods_;
  const Documents documents_;
  mutable RateLimit rate_limit_;
  mutable MetricsRegistry metrics_;
  mutable RequestCounts request_counts_;
};

}  // namespace pintle::apiserver
