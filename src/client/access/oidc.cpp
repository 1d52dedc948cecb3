// SPDX-License-Identifier: Apache-2.0
#include "oidc.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <pintle/base/text.hpp>
#include <pintle/http/server_url.hpp>
#include <pintle/json/value.hpp>
#include <pintle/object/bytes.hpp>

#include "proxy.hpp"

namespace pintle {

namespace {

constexpr Duration clock_tolerance = std::chrono::seconds(10);
constexpr std::size_t max_response = std::size_t{1} << 20U;  // bytes
constexpr int ok = 200;
constexpr int bad_request = 400;
constexpr int unauthorized = 401;
constexpr int server_error = 500;

// A member of the object in `text`; "" if there is none.
std::string member_of(std::string_view text, std::string_view name) {
  const auto parsed = json::parse(text);
  const json::object* root = parsed ? parsed->if_object() : nullptr;
  const json::Value* member = root == nullptr ? nullptr : root->if_contains(name);
  return member != nullptr && member->is_string() ? std::string(member->get_string()) : std::string();
}

Error refused(const std::string& what, const http::BufferedResponse& response) {
  const std::string reason = member_of(response.body, "error");
  const ErrorCode code = response.status >= server_error ? ErrorCode::unavailable : ErrorCode::invalid;
  return make_error(code,
                    what + " responds with status " + std::to_string(response.status) +
                        (is_visible_ascii(reason) && !reason.empty() ? ", error " + quote(reason) : "") +
                        (code == ErrorCode::invalid ? "; log in again, or correct the client-id and secret" : ""));
}

}  // namespace

Result<WallTime> expiry_of_jwt(std::string_view token) {
  const auto wrong = [] { return fail(ErrorCode::invalid, "is not a JSON web token with an expiry (exp)"); };
  const std::size_t first = token.find('.');
  const std::size_t second = first == std::string_view::npos ? first : token.find('.', first + 1);
  if (second == std::string_view::npos) return wrong();
  std::string claims(token.substr(first + 1, second - first - 1));
  std::ranges::replace(claims, '-', '+');
  std::ranges::replace(claims, '_', '/');
  while (claims.size() % 4 != 0) claims += '=';
  const auto text = Bytes::from_base64(claims);
  const auto parsed = text ? json::parse(text->data) : fail(text.error());
  const json::object* root = parsed ? parsed->if_object() : nullptr;
  const json::Value* exp = root == nullptr ? nullptr : root->if_contains("exp");
  if (exp == nullptr || !exp->is_number()) return wrong();
  constexpr double latest = 8e9;  // the year 2223
  const double seconds = exp->to_number<double>();
  if (!(seconds >= 0 && seconds <= latest)) return wrong();
  return WallTime(std::chrono::seconds(static_cast<std::int64_t>(seconds)));
}

OidcSession::OidcSession(OidcProvider provider, Executor& executor, std::shared_ptr<http::Transport> transport, Log log,
                         std::string origin)
    : provider_(std::move(provider)),
      executor_(executor),
      transport_(std::move(transport)),
      log_(std::move(log)),
      origin_(std::move(origin)) {}

Result<ObtainedCredential> OidcSession::obtain(std::stop_token stop) {
  if (const std::string token = std::exchange(provider_.id_token, {}); !token.empty()) {
    const auto expires = expiry_of_jwt(token);
    if (expires && is_visible_ascii(token) && executor_.wall_now() + clock_tolerance < *expires) {
      return ObtainedCredential{.token = token, .expires = *expires - clock_tolerance};
    }
  }
  auto refreshed = refresh(stop);
  if (refreshed || refreshed.error().code == ErrorCode::cancelled) return refreshed;
  Error error = std::move(refreshed.error());
  error.message =
      "the OpenID Connect provider" + (origin_.empty() ? "" : " of " + origin_) + " gave no token: " + error.message;
  return error;
}

Result<ObtainedCredential> OidcSession::refresh(const std::stop_token& stop) {
  if (provider_.refresh_token.empty()) {
    return fail(ErrorCode::invalid,
                "the id-token is missing or has expired, and there is no refresh-token; log in again");
  }
  const auto url = find_token_endpoint(stop);
  if (!url) return fail(url.error());
  const bool has_secret = !provider_.client_secret.empty();
  auto response = request_token(*url, has_secret, stop);
  // Some providers accept the secret only in the body.
  if (response && has_secret && (response->status == bad_request || response->status == unauthorized)) {
    response = request_token(*url, false, stop);
  }
  if (!response) return fail(std::move(response.error()));
  if (response->status != ok) return refused(*url, *response);
  return keep(response->body);
}

Result<std::string> OidcSession::find_token_endpoint(const std::stop_token& stop) const {
  std::string url = provider_.issuer_url;
  while (url.ends_with('/')) url.pop_back();
  url += "/.well-known/openid-configuration";
  auto request = request_to(url);
  if (!request) return fail(std::move(request.error()));
  const auto response = send(std::move(*request), stop);
  if (!response) return fail(response.error());
  if (response->status != ok) return refused(url, *response);
  std::string endpoint = member_of(response->body, "token_endpoint");
  if (endpoint.empty()) return fail(ErrorCode::invalid, url + " contains no token_endpoint");
  return endpoint;
}

Result<http::BufferedResponse> OidcSession::request_token(const std::string& url, bool with_header,
                                                          const std::stop_token& stop) const {
  auto request = request_to(url);
  if (!request) return fail(std::move(request.error()));
  const std::string id = http::percent_encode(provider_.client_id);
  const std::string secret = http::percent_encode(provider_.client_secret);
  request->method = "POST";
  request->headers.set("Content-Type", "application/x-www-form-urlencoded");
  request->body = "grant_type=refresh_token&refresh_token=" + http::percent_encode(provider_.refresh_token);
  if (with_header) {
    request->headers.set("Authorization", "Basic " + Bytes(id + ":" + secret).to_base64());
  } else {
    request->body += "&client_id=" + id + (secret.empty() ? "" : "&client_secret=" + secret);
  }
  return send(std::move(*request), stop);
}

Result<ObtainedCredential> OidcSession::keep(std::string_view body) {
  const std::string token = member_of(body, "id_token");
  if (token.empty() || !is_visible_ascii(token)) {
    return fail(ErrorCode::invalid,
                "its response has no usable id_token; the login must request the scope openid, and the provider must "
                "return ID tokens when it refreshes");
  }
  if (std::string next = member_of(body, "refresh_token"); !next.empty() && next != provider_.refresh_token) {
    provider_.refresh_token = std::move(next);
    if (!std::exchange(has_warned_, true)) {
      log_.warning(
          "the OpenID Connect provider replaced the refresh token; the new one is kept in memory only, so that after a "
          "restart the one in the kubeconfig is used; if the provider rejects it then, log in again",
          {{"issuer", provider_.issuer_url}});
    }
  }
  const auto expires = expiry_of_jwt(token);
  if (!expires) return fail(ErrorCode::invalid, "its id_token " + expires.error().message);
  return ObtainedCredential{.token = token, .expires = *expires - clock_tolerance};
}

Result<http::Request> OidcSession::request_to(std::string_view url) const {
  constexpr std::string_view scheme = "https://";
  if (!url.starts_with(scheme)) {
    return fail(ErrorCode::invalid,
                "the URL " + quote(url) + " must begin with https://, because tokens are sent to it");
  }
  const std::size_t path = std::min(url.find_first_of("/?", scheme.size()), url.size());
  auto endpoint = http::parse_server_url(url.substr(0, path), true);
  if (!endpoint) return fail(ErrorCode::invalid, "the URL " + quote(url) + " " + endpoint.error().message);
  endpoint->ca = provider_.ca;
  if (auto proxy = proxy_from_environment(*endpoint); proxy) endpoint->proxy = std::move(*proxy);
  std::string target(url.substr(path));
  if (!target.starts_with('/')) target.insert(0, 1, '/');
  http::Request request{.target = std::move(target), .headers = {{"Accept", "application/json"}}};
  request.endpoint = std::make_shared<const http::Endpoint>(std::move(*endpoint));
  return request;
}

// The transport reports failures of other servers with the codes of failures of the cluster, some of which a client
// retries.
Result<http::BufferedResponse> OidcSession::send(http::Request request, const std::stop_token& stop) const {
  if (transport_ == nullptr) return fail(ErrorCode::invalid, "there is no transport");
  auto response = http::send(*transport_, std::move(request), stop, max_response);
  if (response || response.error().code == ErrorCode::cancelled) return response;
  return fail(ErrorCode::unavailable, response.error().message);
}

}  // namespace pintle
