#include "guarded_pages.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include <pintle/base/text.hpp>

namespace pintle {
namespace {

// The scheme compares without case (RFC 9110).
std::optional<std::string> bearer_token(const http::Request& request) {
  constexpr std::string_view scheme = "bearer ";
  const std::string_view header = request.headers.get("Authorization").value_or("");
  if (header.size() <= scheme.size() || lower(header.substr(0, scheme.size())) != scheme) return std::nullopt;
  return std::string(header.substr(scheme.size()));
}

std::string_view reason_of(int status) {
  return status == 401 ? "Unauthorized" : status == 403 ? "Forbidden" : "ServiceUnavailable";
}

http::Response refusal(const Verdict& verdict) {
  const json::Value status =
      json::object{{"kind", "Status"},      {"apiVersion", "v1"},         {"metadata", json::object()},
                   {"status", "Failure"},   {"message", verdict.message}, {"reason", reason_of(verdict.status)},
                   {"code", verdict.status}};
  http::Response response{
      .status = verdict.status, .headers = {{"Content-Type", "application/json"}}, .body = json::print(status) + "\n"};
  if (verdict.status == 401) response.headers.set("WWW-Authenticate", "Bearer");
  return response;
}

}  // namespace

http::Response GuardedPages::handle(const http::Request& request) {
  std::string path = http::parse_target(request.target).path;
  if (path == "/healthz" || path == "/readyz") return pages_.handle(request);
  auto token = bearer_token(request);
  if (!token) return refusal({401, "send a bearer token of the cluster in the Authorization header"});
  Visit visit{.token = std::move(*token), .verb = lower(request.method), .path = std::move(path)};
  if (const auto verdict = reviewer_.remembered(visit)) return answer(*verdict, request);
  return {.later = [this, visit = std::move(visit), request] {
    return answer(reviewer_.ask(visit, stop_.get_token()), request);
  }};
}

http::Response GuardedPages::answer(const Verdict& verdict, const http::Request& request) {
  return verdict.allowed() ? pages_.handle(request) : refusal(verdict);
}

}  // namespace pintle
