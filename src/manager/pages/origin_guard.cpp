// SPDX-License-Identifier: Apache-2.0
#include "origin_guard.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

#include <pintle/base/text.hpp>
#include <pintle/http/server_url.hpp>

#include "json_page.hpp"

namespace pintle {
namespace {

// Returns "host:port" of "http://host:port"; nullopt for an opaque origin such as "null".
std::optional<std::string> authority_of_origin(std::string_view origin) {
  const std::size_t scheme = origin.find("://");
  if (scheme == std::string_view::npos) return std::nullopt;
  return to_lower_ascii(origin.substr(scheme + 3));
}

}  // namespace

bool OriginGuard::is_own(std::string_view authority) const {
  const auto server = http::parse_server_url(authority, false);
  if (!server) return false;
  const std::string host = to_lower_ascii(server->host);
  return http::is_ip_address(host) || host == "localhost" ||
         std::find(hosts_.begin(), hosts_.end(), host) != hosts_.end();
}

http::Response OriginGuard::handle(const http::Request& request) {
  const std::string path = http::parse_target(request.target).path;
  if (path == "/healthz" || path == "/readyz" || path == "/metrics") return pages_.handle(request);
  const auto host = request.headers.get("Host");
  if (host && !is_own(*host) && !request.headers.get(terminal_header)) {
    return json_error(
        403, "the Host header is another host; use an IP address or localhost, or start the operator with --authorize");
  }
  const auto origin = request.headers.get("Origin");
  if (origin && (!host || authority_of_origin(*origin) != to_lower_ascii(*host))) {
    return json_error(403, "the Origin header is another site; its web pages cannot use this page");
  }
  return pages_.handle(request);
}

}  // namespace pintle
