// Parses and checks addresses of servers and proxies.
#pragma once

#include <string_view>

#include <pintle/base/annotations.hpp>
#include <pintle/base/result.hpp>
#include <pintle/http/message.hpp>

namespace pintle::http {

/// Parses "https://host:port/base". Without a scheme, the scheme is https if `secure`, otherwise http. Error: invalid;
/// the message describes the mistake and never contains a password from the URL.
[[nodiscard]] PINTLE_EXPORT Result<Endpoint> parse_server_url(std::string_view url, bool secure);

/// Error: invalid unless `name` is a DNS name or an IP address. A certificate can be checked only against these.
[[nodiscard]] PINTLE_EXPORT Result<void> validate_server_name(std::string_view name);

/// Error: invalid unless `url` is an http, https or socks5 URL with a host.
[[nodiscard]] PINTLE_EXPORT Result<void> validate_proxy_url(std::string_view url);

}  // namespace pintle::http
