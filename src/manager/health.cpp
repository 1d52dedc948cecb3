#include "health.hpp"

namespace pintle {
namespace {

http::Response text_response(int status, std::string body, std::string type = "text/plain; charset=utf-8") {
  return {.status = status, .headers = {{"Content-Type", std::move(type)}}, .body = std::move(body)};
}

}  // namespace

std::string Health::why_not_ready() const {
  std::string body;
  if (checks_.missing) {
    for (const std::string& one : checks_.missing()) body += one + "\n";
  }
  return body.empty() ? "the operator is starting or stopping\n" : body;
}

http::Response Health::ready() const {
  if (checks_.check_served) {
    if (const auto served = checks_.check_served(); !served) return text_response(503, served.error().message + "\n");
  }
  if (!checks_.is_ready()) return text_response(503, why_not_ready());
  std::string body;
  if (checks_.problems) {
    for (const std::string& one : checks_.problems()) body += one + "\n";
  }
  return body.empty() ? text_response(200, "ok\n") : text_response(503, std::move(body));
}

http::Response Health::handle(const http::Request& request) {
  const std::string path = http::parse_target(request.target).path;
  const bool is_profile = path == "/debug/profile" || path == "/debug/heap";
  if (checks_.profile != nullptr && is_profile) return checks_.profile->handle(request);
  if (checks_.debug != nullptr && path.starts_with("/debug")) return checks_.debug->handle(request);
  if (request.method != "GET" && request.method != "HEAD") return text_response(405, "only GET is allowed\n");
  // /healthz does not depend on the caches, because a restart would not fill them sooner.
  if (path == "/healthz") {
    const auto alive = checks_.check_alive();
    return alive ? text_response(200, "ok\n") : text_response(500, alive.error().to_string() + "\n");
  }
  if (path == "/readyz") return ready();
  if (path == "/metrics" && checks_.before_metrics) checks_.before_metrics();
  if (path == "/metrics") return text_response(200, metrics_.text(), "text/plain; version=0.0.4; charset=utf-8");
  return text_response(404, "not found; available: /healthz, /readyz and /metrics\n");
}

}  // namespace pintle
