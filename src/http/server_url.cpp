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

bool is_host(std::string_view host) {
  return !host.empty() && std::ranges::all_of(host, [](unsigned char c) {
    return c > ' ' && c < 0x7f &&
           std::string_view("\"<>\\^`{|}@[]").find(static_cast<char>(c)) == std::string_view::npos;
  });
}

Result<HostPort> split_authority(std::string_view authority, std::uint16_t default_port) {
  if (authority.find('@') != std::string_view::npos) {
    return fail(ErrorCode::invalid, "has a user name or password in it; take it out");
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
    if (host.size() != bracket + 1) return fail(ErrorCode::invalid, "has something between \"]\" and the port");
    host = host.substr(1, bracket - 1);
  }
  if (!is_host(host)) return fail(ErrorCode::invalid, "has no valid host");
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
    return fail(ErrorCode::invalid, "must end with the path: no \"?\" or \"#\"");
  }
  endpoint.host = std::move(where->host);
  endpoint.port = where->port;
  endpoint.base_path = parts.rest;
  while (endpoint.base_path.ends_with('/')) endpoint.base_path.pop_back();
  return endpoint;
}

Result<void> check_proxy_url(std::string_view url) {
  const Parts parts = split(url);
  if (parts.scheme != "http" && parts.scheme != "https" && parts.scheme != "socks5" && parts.scheme != "socks5h") {
    return fail(ErrorCode::invalid, "must begin with http://, https:// or socks5://");
  }
  // A proxy, unlike a server, may be given its user and password in the URL.
  const std::size_t at = parts.authority.rfind('@');
  const auto where =
      split_authority(at == std::string_view::npos ? parts.authority : parts.authority.substr(at + 1), 1080);
  if (!where) return fail(where.error());
  return {};
}

}  // namespace pintle::http
