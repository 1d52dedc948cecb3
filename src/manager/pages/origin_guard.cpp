#include "origin_guard.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include <arpa/inet.h>

#include <pintle/base/text.hpp>

#include "json_page.hpp"

namespace pintle {
namespace {

// Returns the host of "host", "host:port" or "[address]:port".
std::string host_of_authority(std::string_view authority) {
  if (authority.starts_with('[')) {
    return std::string(authority.substr(1, std::min(authority.find(']'), authority.size()) - 1));
  }
  return to_lower_ascii(authority.substr(0, authority.rfind(':')));
}

bool is_ip_address(const std::string& host) {
  std::array<unsigned char, 16> address{};
  return ::inet_pton(AF_INET, host.c_str(), address.data()) == 1 ||
         ::inet_pton(AF_INET6, host.c_str(), address.data()) == 1;
}

// Returns "host:port" of "http://host:port"; nullopt for an opaque origin such as "null".
std::optional<std::string> authority_of_origin(std::string_view origin) {
  const std::size_t scheme = origin.find("://");
  if (scheme == std::string_view::npos) return std::nullopt;
  return to_lower_ascii(origin.substr(scheme + 3));
}

}  // namespace

bool OriginGuard::is_own(std::string_view authority) const {
  const std::string host = host_of_authority(authority);
  return is_ip_address(host) || host == "localhost" || std::find(hosts_.begin(), hosts_.end(), host) != hosts_.end();
}

http::Response OriginGuard::handle(const http::Request& request) {
  if (!http::parse_target(request.target).path.starts_with("/debug")) return pages_.handle(request);
  const auto host = request.headers.get("Host");
  if (host && !is_own(*host)) {
    return json_error(
        403, "the Host header is another host; use an IP address or localhost, or start the operator with --authorize");
  }
  const auto origin = request.headers.get("Origin");
  if (origin && (!host || authority_of_origin(*origin) != to_lower_ascii(*host))) {
    return json_error(403, "the Origin header is another site; its web pages cannot use /debug/");
  }
  return pages_.handle(request);
}

}  // namespace pintle
