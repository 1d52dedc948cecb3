#include <pintle/http/server_url.hpp>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>

namespace pintle::http {

namespace {

struct Parts {
  std::string scheme{};  // lower case; empty: none
  std::string_view authority{};
  std::string_view rest{};  // from the first '/', '?' or '#'
};

Parts split(std::string_view url) {
  Parts parts;
  if (const std::size_t end = url.find("://"); end != std::string_view::npos) {
    parts.scheme = url.substr(0, end);
    std::ranges::transform(parts.scheme, parts.scheme.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    url.remove_prefix(end + 3);
  }
  const std::size_t end = std::min(url.find_first_of("/?#"), url.size());
  parts.authority = url.substr(0, end);
  parts.rest = url.substr(end);
  return parts;
}

struct HostPort {
  std::string host{};
  std::uint16_t port = 0;
};

std::optional<std::uint16_t> parse_port(std::string_view text) {
  std::uint16_t port = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (fault != std::errc{} || end != text.data() + text.size() || port == 0) return std::nullopt;
  return port;
}

bool is_one_of(char c, std::string_view more) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         more.find(c) != std::string_view::npos;
}

// Also true for an IPv4 address.
bool is_dns_name(std::string_view name) {
  constexpr std::size_t longest = 253;
  constexpr std::size_t longest_label = 63;
  if (name.ends_with('.')) name.remove_suffix(1);
  if (name.empty() || name.size() > longest) return false;
  while (true) {
    const std::string_view label = name.substr(0, name.find('.'));
    if (label.empty() || label.size() > longest_label || label.starts_with('-')) return false;
    if (!std::ranges::all_of(label, [](char c) { return is_one_of(c, "-_"); })) return false;
    if (label.size() == name.size()) return true;
    name.remove_prefix(label.size() + 1);
  }
}

// Accepts "::1"; also "fe80::1%eth0" if `with_zone` is set.
bool is_ipv6_address(std::string_view text, bool with_zone) {
  const std::string_view address = text.substr(0, with_zone ? text.find('%') : text.size());
  const std::string_view zone = text.substr(address.size());
  const auto is_digit = [](char c) {
    return (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F') || (c >= '0' && c <= '9');
  };
  return std::ranges::count(address, ':') >= 2 &&
         std::ranges::all_of(address, [&](char c) { return is_digit(c) || c == ':' || c == '.'; }) &&
         std::ranges::all_of(zone, [](char c) { return is_one_of(c, "%-_."); });
}

// Returns whether a URL can contain a text without percent encoding.
bool is_plain(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c > ' ' && c < '\x7f'; });
}

Result<HostPort> split_authority(std::string_view authority, std::uint16_t default_port) {
  if (authority.find('@') != std::string_view::npos) {
    return fail(ErrorCode::invalid, "contains a user name or password; remove it");
  }
  std::string_view host = authority;
  std::string_view port;
  const bool bracketed = authority.starts_with('[');
  const std::size_t bracket = bracketed ? authority.find(']') : 0;
  if (bracket == std::string_view::npos) return fail(ErrorCode::invalid, "has no \"]\" after its address");
  const std::size_t colon = authority.find(':', bracket);
  if (colon != std::string_view::npos) {
    host = authority.substr(0, colon);
    port = authority.substr(colon + 1);
  }
  if (bracketed) {
    if (host.size() != bracket + 1) return fail(ErrorCode::invalid, "has text between \"]\" and the port");
    host = host.substr(1, bracket - 1);
  }
  if (!(bracketed ? is_ipv6_address(host, true) : is_dns_name(host))) {
    return fail(ErrorCode::invalid, "has no valid host; it must be a DNS name or an IP address, IPv6 in brackets");
  }
  if (port.empty()) return HostPort{std::string(host), default_port};
  const auto number = parse_port(port);
  if (!number) return fail(ErrorCode::invalid, "has a port that is not a number from 1 to 65535");
  return HostPort{std::string(host), *number};
}

}  // namespace

Result<Endpoint> parse_server_url(std::string_view url, bool secure) {
  const Parts parts = split(url);
  if (!parts.scheme.empty() && parts.scheme != "https" && parts.scheme != "http") {
    return fail(ErrorCode::invalid, "must begin with https:// or http://");
  }
  Endpoint endpoint;
  endpoint.tls = parts.scheme.empty() ? secure : parts.scheme == "https";
  auto where = split_authority(parts.authority, endpoint.tls ? 443 : 80);
  if (!where) return fail(std::move(where.error()));
  if (parts.rest.find_first_of("?#") != std::string_view::npos) {
    return fail(ErrorCode::invalid, "must not contain \"?\" or \"#\"");
  }
  if (!is_plain(parts.rest)) {
    return fail(ErrorCode::invalid, "has a space, control or non-ASCII character in its path; percent-encode it");
  }
  endpoint.host = std::move(where->host);
  endpoint.port = where->port;
  endpoint.base_path = parts.rest;
  while (endpoint.base_path.ends_with('/')) endpoint.base_path.pop_back();
  return endpoint;
}

Result<void> validate_server_name(std::string_view name) {
  if (is_dns_name(name) || is_ipv6_address(name, false)) return {};
  return fail(ErrorCode::invalid, "must be a DNS name or an IP address, with no port, path or brackets");
}

Result<void> validate_proxy_url(std::string_view url) {
  if (!is_plain(url)) return fail(ErrorCode::invalid, "has a space, control or non-ASCII character; percent-encode it");
  const Parts parts = split(url);
  if (parts.scheme != "http" && parts.scheme != "https" && parts.scheme != "socks5" && parts.scheme != "socks5h") {
    return fail(ErrorCode::invalid, "must begin with http://, https:// or socks5://");
  }
  // Unlike the URL of a server, the URL of a proxy may contain a user name and password.
  const std::size_t at = parts.authority.rfind('@');
  const auto where =
      split_authority(at == std::string_view::npos ? parts.authority : parts.authority.substr(at + 1), 1080);
  if (!where) return fail(where.error());
  return {};
}

}  // namespace pintle::http
