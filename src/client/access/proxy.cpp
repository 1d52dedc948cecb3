// SPDX-License-Identifier: Apache-2.0
#include "proxy.hpp"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include <pintle/base/environment.hpp>
#include <pintle/base/text.hpp>
#include <pintle/http/server_url.hpp>

namespace pintle {

namespace {

// An IPv4 address is kept as an IPv4-mapped IPv6 address, so that both notations are equal.
using Address = std::array<unsigned char, 16>;
constexpr std::size_t mapped_prefix = 12;  // bytes

std::optional<Address> parse_address(std::string_view text) {
  const std::string host(text);
  Address address{};
  if (::inet_pton(AF_INET6, host.c_str(), address.data()) == 1) return address;
  address = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
  if (::inet_pton(AF_INET, host.c_str(), address.data() + mapped_prefix) == 1) return address;
  return std::nullopt;
}

bool is_mapped(const Address& address) {
  constexpr Address prefix = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
  return std::equal(prefix.begin(), prefix.begin() + mapped_prefix, address.begin());
}

bool is_loopback(const Address& address) {
  constexpr Address v6 = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
  constexpr unsigned char v4 = 127;
  return address == v6 || (is_mapped(address) && address[mapped_prefix] == v4);
}

// Whether `network`, such as "10.0.0.0/8", is a network that contains the address; nothing if it is not a network.
std::optional<bool> network_contains(std::string_view network, const std::optional<Address>& address) {
  const std::size_t slash = network.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const auto base = parse_address(network.substr(0, slash));
  const std::string_view digits = network.substr(slash + 1);
  unsigned bits = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), bits);
  const bool is_v4 = network.substr(0, slash).find(':') == std::string_view::npos;
  const unsigned longest = is_v4 ? 32 : 128;
  if (!base || error != std::errc() || end != digits.data() + digits.size() || bits > longest) return std::nullopt;
  if (!address || is_mapped(*address) != is_mapped(*base)) return false;
  if (is_v4) bits += mapped_prefix * 8;
  for (std::size_t i = 0; i < base->size(); ++i) {
    const unsigned here = std::min(bits, 8U);
    const auto mask = static_cast<unsigned char>(0xff00U >> here);
    if ((((*base)[i] ^ (*address)[i]) & mask) != 0) return false;
    bits -= here;
  }
  return true;
}

// Splits "host:port" and "[host]:port". Without a port, returns the whole text as the host.
std::pair<std::string_view, std::string_view> split_port(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  const bool is_bracketed = text.starts_with('[') && colon != std::string_view::npos && text[colon - 1] == ']';
  const bool has_port = is_bracketed || (colon != std::string_view::npos && text.find(':') == colon);
  std::string_view host = has_port ? text.substr(0, colon) : text;
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  return {host, has_port ? text.substr(colon + 1) : std::string_view()};
}

// One entry of NO_PROXY, in lower case.
bool entry_matches(std::string_view entry, std::string_view host, const std::optional<Address>& address,
                   std::string_view port) {
  if (entry == "*") return true;
  if (const auto in_network = network_contains(entry, address)) return *in_network;
  const auto [name, own_port] = split_port(entry);
  if (name.empty() || (!own_port.empty() && own_port != port)) return false;
  if (const auto own_address = parse_address(name)) return address == own_address;
  if (name.starts_with("*.")) return host.ends_with(name.substr(1));
  if (name.starts_with('.')) return host.ends_with(name);
  return host == name || (host.ends_with(name) && host.substr(0, host.size() - name.size()).ends_with('.'));
}

// Adds the scheme to "proxy:3128". Error: invalid; the message does not contain a password.
Result<std::string> checked_proxy(const std::string& name, const std::string& value) {
  const std::string url = value.find("://") == std::string::npos ? "http://" + value : value;
  if (auto valid = http::validate_proxy_url(url); !valid) {
    return fail(ErrorCode::invalid, "the proxy in $" + name + " " + valid.error().message);
  }
  return url;
}

}  // namespace

bool is_excluded(std::string_view no_proxy, std::string_view host, std::uint16_t port) {
  std::string name = to_lower_ascii(trim(host));
  if (name.ends_with('.')) name.pop_back();
  const auto address = parse_address(name);
  if (name == "localhost" || (address && is_loopback(*address))) return true;
  const std::string port_text = std::to_string(port);
  const std::string list = to_lower_ascii(no_proxy);
  for (std::string_view left = list; !left.empty();) {
    const std::string_view entry = left.substr(0, left.find(','));
    left.remove_prefix(std::min(entry.size() + 1, left.size()));
    const std::string_view trimmed = trim(entry);
    if (!trimmed.empty() && entry_matches(trimmed, name, address, port_text)) return true;
  }
  return false;
}

Result<std::string> select_proxy(const http::Endpoint& endpoint,
                                 const std::function<std::string(const std::string&)>& variable) {
  const auto value_of = [&](const std::string& upper) {
    std::string value = variable(upper);
    if (!value.empty()) return std::pair(upper, std::move(value));
    return std::pair(to_lower_ascii(upper), variable(to_lower_ascii(upper)));
  };
  const auto [name, value] = value_of(endpoint.tls ? "HTTPS_PROXY" : "HTTP_PROXY");
  const std::uint16_t port = endpoint.port != 0 ? endpoint.port : endpoint.tls ? 443 : 80;
  if (value.empty() || is_excluded(value_of("NO_PROXY").second, endpoint.host, port)) return std::string();
  return checked_proxy(name, value);
}

Result<std::string> proxy_from_environment(const http::Endpoint& endpoint) {
  return select_proxy(endpoint, environment_variable);
}

}  // namespace pintle
