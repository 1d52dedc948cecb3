// SPDX-License-Identifier: Apache-2.0
#include "health.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace pintle::apiserver {
namespace {

http::Response text_page(int status, std::string body) {
  return {.status = status,
          .headers = {{"Content-Type", "text/plain; charset=utf-8"}, {"X-Content-Type-Options", "nosniff"}},
          .body = std::move(body)};
}

// Lists the checks of a page: [+]ping ok.
std::string report(std::string_view page, const http::Target& target) {
  std::string out;
  for (const std::string_view check : health_checks(page)) {
    const bool is_excluded = std::ranges::any_of(target.parameters, [&](const auto& parameter) {
      return parameter.first == "exclude" && parameter.second == check;
    });
    out += fmt::format("[+]{} {}\n", check, is_excluded ? "excluded: ok" : "ok");
  }
  return out + fmt::format("{} check passed\n", page);
}

}  // namespace

std::vector<std::string_view> health_checks(std::string_view page) {
  if (page == "readyz") return {"ping", "log", "etcd", "informer-sync", "shutdown"};
  return {"ping", "log", "etcd"};
}

std::optional<http::Response> health_page(const std::vector<std::string>& path, const http::Target& target) {
  if (path.empty() || (path[0] != "healthz" && path[0] != "livez" && path[0] != "readyz")) return std::nullopt;
  if (path.size() == 1) return text_page(200, target.parameter("verbose") ? report(path[0], target) : "ok");
  const auto checks = health_checks(path[0]);
  const bool exists = path.size() == 2 && std::ranges::find(checks, path[1]) != checks.end();
  return exists ? text_page(200, "ok") : text_page(404, "404 page not found\n");
}

}  // namespace pintle::apiserver
