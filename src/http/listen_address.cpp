// SPDX-License-Identifier: Apache-2.0
#include <pintle/http/listen_address.hpp>

#include <arpa/inet.h>

#include <charconv>

#include <fmt/format.h>

#include <pintle/http/server_url.hpp>

namespace pintle::http {

bool ListenAddress::is_loopback() const noexcept {
  if (host == "localhost") return true;
  in_addr v4{};
  if (inet_pton(AF_INET, host.c_str(), &v4) == 1) return (ntohl(v4.s_addr) >> 24U) == IN_LOOPBACKNET;
  in6_addr v6{};
  return inet_pton(AF_INET6, host.c_str(), &v6) == 1 && IN6_IS_ADDR_LOOPBACK(&v6);
}

std::string ListenAddress::to_string() const { return join_host_port(host, port); }

Result<ListenAddress> parse_listen_address(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  std::string_view host = text.substr(0, colon);
  const std::string_view digits = colon == std::string_view::npos ? std::string_view() : text.substr(colon + 1);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  ListenAddress address{.host = std::string(host)};
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), address.port);
  if (digits.empty() || error != std::errc() || end != digits.data() + digits.size()) {
    return fail(ErrorCode::invalid,
                fmt::format("cannot listen on \"{}\": use HOST:PORT, such as 127.0.0.1:8443", text));
  }
  return address;
}

}  // namespace pintle::http
