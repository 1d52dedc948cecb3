// SPDX-License-Identifier: Apache-2.0
#include "pod_proxy.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <utility>

#include <pintle/apiserver/server.hpp>
#include <pintle/http/server_url.hpp>

#include "http/forwarder.hpp"
#include "router.hpp"

namespace pintle::apiserver {
namespace {

constexpr Duration patience = std::chrono::seconds(30);

// The header Host stays that of the client, as with kube-apiserver: a Pod receives the name of the API server.
http::Headers forwarded(const http::Headers& headers) {
  http::Headers out = http::end_to_end_headers(headers);
  if (const auto host = headers.get("Host")) out.add("Host", std::string(*host));
  return out;
}

http::Response unreachable(const std::string& why) {
  return ApiServer::error_response(503, "error trying to reach service: " + why);
}

}  // namespace

std::optional<PodRequest> pod_request(std::string_view target) {
  if (target.find("proxy") == std::string_view::npos && target.find('%') == std::string_view::npos) return std::nullopt;
  const std::vector<std::string> parts = path_parts(target);
  const bool is_proxy = parts.size() >= 7 && parts[0] == "api" && parts[1] == "v1" && parts[2] == "namespaces" &&
                        parts[4] == "pods" && parts[6] == "proxy";
  if (!is_proxy) return std::nullopt;
  PodRequest request{.namespace_ = parts[3], .name = parts[5], .path_name = parts[5]};
  for (std::size_t i = 7; i < parts.size(); ++i) request.path += "/" + parts[i];
  if (target.substr(0, target.find('?')).ends_with('/')) request.path += '/';
  for (const auto& [scheme, tls] : {std::pair("https:", true), {"http:", false}}) {
    if (!request.name.starts_with(scheme)) continue;
    request.name.erase(0, std::string_view(scheme).size());
    request.tls = tls;
    break;
  }
  if (const std::size_t colon = request.name.find(':'); colon != std::string::npos) {
    request.port = request.name.substr(colon + 1);
    request.name.erase(colon);
  }
  // The rest of the target as it is, behind the sixth separator that follows "/proxy".
  std::string_view rest = target;
  constexpr std::string_view mark = "/proxy";
  rest.remove_prefix(std::min(rest.find(mark, rest.find("/pods/")) + mark.size(), rest.size()));
  request.target = rest.starts_with('/') ? std::string(rest) : "/" + std::string(rest);
  return request;
}

http::Response PodProxy::forward(const http::Request& request, const PodRequest& to) const {
  const std::string pod = to.namespace_ + "/" + to.name + (to.port.empty() ? "" : ":" + to.port);
  const auto url = urls_.find(pod);
  if (transport_ == nullptr || url == urls_.end()) return unreachable("no URL is configured for the pod " + pod);
  auto endpoint = http::parse_server_url(url->second, to.tls);
  if (!endpoint) return unreachable(endpoint.error().message);
  endpoint->insecure = true;
  auto response = http::start_streamed(transport_,
                                       {.method = request.method,
                                        .target = to.target,
                                        .headers = forwarded(request.headers),
                                        .body = request.body,
                                        .endpoint = std::make_shared<http::Endpoint>(std::move(*endpoint)),
                                        .timeout = {}},
                                       patience);
  return response ? std::move(*response) : unreachable(response.error().message);
}

}  // namespace pintle::apiserver
