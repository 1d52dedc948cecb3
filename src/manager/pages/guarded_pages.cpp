// SPDX-License-Identifier: Apache-2.0
#include "guarded_pages.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <arpa/inet.h>

#include <pintle/base/text.hpp>

#include "controller/apply/digest.hpp"
#include "json_page.hpp"
#include "manager/debug/console.hpp"

namespace pintle {
namespace {

// The scheme is compared without case (RFC 9110). The proxy of an API server removes the first header.
std::optional<std::string> bearer_token(const http::Request& request) {
  constexpr std::string_view scheme = "bearer ";
  const std::string_view header =
      request.headers.get("Authorization").value_or(request.headers.get("X-Pintle-Authorization").value_or(""));
  if (header.size() <= scheme.size() || to_lower_ascii(header.substr(0, scheme.size())) != scheme) return std::nullopt;
  return std::string(header.substr(scheme.size()));
}

http::Response refusal(const Verdict& verdict) {
  http::Response response = json_error(verdict.status, verdict.message);
  if (verdict.status == 401) response.headers.set("WWW-Authenticate", "Bearer");
  return response;
}

// Returns whether the token has three parts of base64url, like tokens of service accounts and of OpenID Connect.
bool looks_like_jwt(std::string_view token) {
  const bool is_plain = std::all_of(token.begin(), token.end(), [](unsigned char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '-' || c == '_' ||
           c == '.';
  });
  return is_plain && token.starts_with("eyJ") && std::count(token.begin(), token.end(), '.') == 2;
}

// Returns the 64-bit network of an IPv6 address, because one machine can use any number of addresses of its network.
std::string network_of(const std::string& address) {
  std::array<unsigned char, 16> bytes{};
  if (::inet_pton(AF_INET6, address.c_str(), bytes.data()) != 1) return address;
  return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size() / 2);
}

}  // namespace

http::Response::Flow GuardedPages::line_of(const Visit& visit, const http::Request& request) const {
  if (reviewer_.is_recent_user(visit)) return {.name = "token " + sha256(visit.token), .high_priority = true};
  return {.name = (looks_like_jwt(visit.token) ? "from " : "odd from ") + network_of(request.peer_address)};
}

http::Response GuardedPages::handle(const http::Request& request) {
  std::string path = http::parse_target(request.target).path;
  if (path == "/healthz" || path == "/readyz" || is_console_path(path)) return pages_.handle(request);
  auto token = bearer_token(request);
  if (!token) return refusal({401, "send a bearer token of the cluster in the Authorization header"});
  Visit visit{.token = std::move(*token), .verb = to_lower_ascii(request.method), .path = std::move(path)};
  if (const auto verdict = reviewer_.cached_verdict(visit)) return respond(*verdict, request);
  if (visit.token.size() > max_token_size) return refusal({401, "the bearer token is too long"});
  http::Response::Flow flow = line_of(visit, request);
  return {.deferred =
              [this, visit = std::move(visit), request] {
                http::Response response = respond(reviewer_.check(visit, stop_.get_token()), request);
                return response.deferred ? response.deferred() : std::move(response);
              },
          .flow = std::move(flow)};
}

http::Response GuardedPages::respond(const Verdict& verdict, const http::Request& request) {
  return verdict.allowed() ? pages_.handle(request) : refusal(verdict);
}

}  // namespace pintle
