// The address of a server as people write it.
#pragma once

#include <string_view>

#include <pintle/base/result.hpp>
#include <pintle/http/message.hpp>

namespace pintle::http {

// "https://host:port/base" as an Endpoint. Without a scheme it is https when `secure`, else http. Error: invalid,
// saying what is wrong with it and never quoting a password in it.
[[nodiscard]] Result<Endpoint> parse_server_url(std::string_view url, bool secure);

// Error: invalid unless `name` is a DNS name or an IP address, which is all that a certificate is held against.
[[nodiscard]] Result<void> check_server_name(std::string_view name);

// Error: invalid unless `url` is http, https or socks5 with a host.
[[nodiscard]] Result<void> check_proxy_url(std::string_view url);

}  // namespace pintle::http
