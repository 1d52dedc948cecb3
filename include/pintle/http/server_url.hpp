// SPDX-License-Identifier: Apache-2.0
// Parses and checks addresses of servers and proxies.
#pragma once

#include <cstdint>
#include <string>
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

/// Returns whether `host` is an IPv4 address, or an IPv6 address without brackets and zone.
[[nodiscard]] PINTLE_EXPORT bool is_ip_address(const std::string& host) noexcept;

/// Returns a host as it is written in a URL: an IPv6 address in brackets, another host unchanged.
[[nodiscard]] PINTLE_EXPORT std::string host_in_url(const std::string& host);

/// Returns "host:port", with an IPv6 address in brackets.
[[nodiscard]] PINTLE_EXPORT std::string join_host_port(const std::string& host, std::uint16_t port);

}  // namespace pintle::http
