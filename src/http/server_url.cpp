// SPDX-License-Identifier: Apache-2.0
#include <pintle/http/server_url.hpp>

#include <arpa/inet.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <optional>

#include <curl/curl.h>

#include <pintle/base/text.hpp>

namespace pintle::http {
namespace {

constexpr std::string_view server_schemes = "https:// or http://";
constexpr std::string_view proxy_schemes = "http://, https:// or socks5://";
constexpr std::string_view no_host = "has no valid host; it must be a DNS name or an IP address, IPv6 in brackets";
constexpr std::string_view bad_port =
    "has a port that is not a number from 1 to 65535, or an IPv6 address without brackets";

auto invalid(std::string_view what) { return fail(ErrorCode::invalid, std::string(what)); }
auto wrong_scheme(std::string_view schemes) { return invalid("must begin with " + std::string(schemes)); }

bool is_one_of(char c, std::string_view more) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         more.find(c) != std::string_view::npos;
}

// Also true for an IPv4 address.
bool is_dns_name(std::string_view name) {
  constexpr std::size_t longest = 253;
  constexpr std::size_t max_label_length = 63;
  if (name.ends_with('.')) name.remove_suffix(1);
  if (name.empty() || name.size() > longest) return false;
  while (true) {
    const std::string_view label = name.substr(0, name.find('.'));
    if (label.empty() || label.size() > max_label_length || label.starts_with('-')) return false;
    if (!std::ranges::all_of(label, [](char c) { return is_one_of(c, "-_"); })) return false;
    if (label.size() == name.size()) return true;
    name.remove_prefix(label.size() + 1);
  }
}

struct FreeUrl {
  void operator()(CURLU* url) const { curl_url_cleanup(url); }
};
using Url = std::unique_ptr<CURLU, FreeUrl>;

std::string_view describe(CURLUcode error) {
  switch (error) {
    case CURLUE_BAD_PORT_NUMBER: return bad_port;
    case CURLUE_NO_HOST:
    case CURLUE_BAD_HOSTNAME:
    case CURLUE_BAD_IPV6: return no_host;
    case CURLUE_USER_NOT_ALLOWED: return "contains a user name or password; remove it";
    default: return curl_url_strerror(error);
  }
}

// Parses a URL that has a scheme. The transport passes URLs to libcurl. Because libcurl parses them here, too, a text
// cannot mean another server when a connection is made.
Result<Url> parse(const std::string& text, unsigned flags) {
  if (!is_visible_ascii(text)) {
    return invalid("has a space, control or non-ASCII character; percent-encode it");
  }
  if (text.find(":///") == text.find(':')) return invalid(no_host);  // libcurl takes "https:///a" for "https://a"
  Url url(curl_url());
  flags |= CURLU_NON_SUPPORT_SCHEME | CURLU_PATH_AS_IS;
  const CURLUcode error = curl_url_set(url.get(), CURLUPART_URL, text.c_str(), flags);
  if (error != CURLUE_OK) return invalid(describe(error));
  return url;
}

// Returns a part as it is in the URL, not percent-decoded; nothing if the URL does not have it.
std::optional<std::string> part_of(const Url& url, CURLUPart part) {
  char* text = nullptr;
  if (curl_url_get(url.get(), part, &text, 0) != CURLUE_OK) return std::nullopt;
  const std::unique_ptr<char, void (*)(void*)> owned(text, curl_free);
  return std::string(text);
}

// Returns the host without brackets: "a.example", "10.0.0.1", "fe80::1%eth0".
Result<std::string> host_of(const Url& url) {
  std::string host = part_of(url, CURLUPART_HOST).value_or("");
  if (host.starts_with('[')) {
    host = host.substr(1, host.size() - 2);
    if (const auto zone = part_of(url, CURLUPART_ZONEID)) host += "%" + *zone;
    return host;
  }
  if (!is_dns_name(host)) return invalid(no_host);
  return host;
}

// libcurl has checked that the port is a decimal number up to 65535.
Result<std::uint16_t> port_of(const Url& url, std::uint16_t default_port) {
  const auto text = part_of(url, CURLUPART_PORT);
  if (!text) return default_port;
  std::uint16_t port = 0;
  std::from_chars(text->data(), text->data() + text->size(), port);
  if (port == 0) return invalid(bad_port);
  return port;
}

enum class Shape { with_scheme, without_scheme, wrong };

// "https://a", "a:443/b" and "https:/a".
Shape shape_of(std::string_view url) {
  const std::size_t end = std::min(url.find_first_of(":/?#@["), url.size());
  if (!url.substr(end).starts_with(":/")) return Shape::without_scheme;
  return url.substr(end).starts_with("://") ? Shape::with_scheme : Shape::wrong;
}

}  // namespace

Result<Endpoint> parse_server_url(std::string_view text, bool secure) {
  const Shape shape = shape_of(text);
  if (shape == Shape::wrong) return wrong_scheme(server_schemes);
  const std::string_view missing = shape == Shape::with_scheme ? "" : secure ? "https://" : "http://";
  const auto url = parse(std::string(missing).append(text), CURLU_DISALLOW_USER);
  if (!url) return fail(url.error());
  const std::string scheme = part_of(*url, CURLUPART_SCHEME).value_or("");
  if (scheme != "https" && scheme != "http") return wrong_scheme(server_schemes);
  auto host = host_of(*url);
  if (!host) return fail(std::move(host.error()));
  const auto port = port_of(*url, scheme == "https" ? 443 : 80);
  if (!port) return fail(port.error());
  if (text.find_first_of("?#") != std::string_view::npos) return invalid("must not contain \"?\" or \"#\"");
  Endpoint endpoint{.tls = scheme == "https", .host = std::move(*host), .port = *port};
  endpoint.base_path = part_of(*url, CURLUPART_PATH).value_or("");
  while (endpoint.base_path.ends_with('/')) endpoint.base_path.pop_back();
  return endpoint;
}

Result<void> validate_server_name(std::string_view name) {
  if (is_dns_name(name) || is_ip_address(std::string(name))) return {};
  return invalid("must be a DNS name or an IP address, with no port, path or brackets");
}

Result<void> validate_proxy_url(std::string_view text) {
  if (shape_of(text) != Shape::with_scheme) return wrong_scheme(proxy_schemes);
  // Unlike the URL of a server, the URL of a proxy may contain a user name and password.
  if (std::ranges::count(text.substr(0, text.find('/', text.find("://") + 3)), '@') > 1) {
    return invalid("has an \"@\" in its user name or password; write it as %40");
  }
  const auto url = parse(std::string(text), 0);
  if (!url) return fail(url.error());
  const std::string scheme = part_of(*url, CURLUPART_SCHEME).value_or("");
  if (scheme != "http" && scheme != "https" && scheme != "socks5" && scheme != "socks5h") {
    return wrong_scheme(proxy_schemes);
  }
  if (auto host = host_of(*url); !host) return fail(std::move(host.error()));
  if (const auto port = port_of(*url, 1080); !port) return fail(port.error());
  return {};
}

bool is_ip_address(const std::string& host) noexcept {
  in6_addr bytes{};
  return ::inet_pton(AF_INET, host.c_str(), &bytes) == 1 || ::inet_pton(AF_INET6, host.c_str(), &bytes) == 1;
}

std::string host_in_url(const std::string& host) {
  return host.find(':') == std::string::npos ? host : "[" + host + "]";
}

std::string join_host_port(const std::string& host, std::uint16_t port) {
  return host_in_url(host) + ":" + std::to_string(port);
}

}  // namespace pintle::http
