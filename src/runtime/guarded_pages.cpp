#include "guarded_pages.hpp"

#include <algorithm>
#include <limits>
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

// Three parts of base64url; service account tokens and those of OpenID Connect look like this, junk mostly does not.
bool looks_like_jwt(std::string_view token) {
  const bool is_plain = std::all_of(token.begin(), token.end(), [](unsigned char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '-' || c == '_' ||
           c == '.';
  });
  return is_plain && token.starts_with("eyJ") && std::count(token.begin(), token.end(), '.') == 2;
}

http::Response too_many_reviews() {
  http::Response response = refusal({503, "too many tokens wait to be reviewed; try again"});
  response.headers.set("Retry-After", "1");
  return response;
}

}  // namespace

GuardedPages::Seat GuardedPages::take_seat(const Room& room, int most) {
  if (room->fetch_add(1) >= most) {
    room->fetch_sub(1);
    return nullptr;
  }
  return {room.get(), [room](void*) { room->fetch_sub(1); }};
}

GuardedPages::Seat GuardedPages::admit(const Visit& visit) {
  if (reviewer_.is_regular(visit)) return take_seat(regulars_, std::numeric_limits<int>::max());
  return looks_like_jwt(visit.token) ? take_seat(unknown_, most_unknown) : take_seat(odd_, most_odd);
}

http::Response GuardedPages::handle(const http::Request& request) {
  std::string path = http::parse_target(request.target).path;
  if (path == "/healthz" || path == "/readyz") return pages_.handle(request);
  auto token = bearer_token(request);
  if (!token) return refusal({401, "send a bearer token of the cluster in the Authorization header"});
  Visit visit{.token = std::move(*token), .verb = lower(request.method), .path = std::move(path)};
  if (const auto verdict = reviewer_.remembered(visit)) return answer(*verdict, request);
  if (visit.token.size() > longest_token) return refusal({401, "no token is this long"});
  Seat seat = admit(visit);
  if (seat == nullptr) return too_many_reviews();
  return {.later = [this, seat = std::move(seat), visit = std::move(visit), request] {
    return answer(reviewer_.ask(visit, stop_.get_token()), request);
  }};
}

http::Response GuardedPages::answer(const Verdict& verdict, const http::Request& request) {
  return verdict.allowed() ? pages_.handle(request) : refusal(verdict);
}

}  // namespace pintle
