// SPDX-License-Identifier: Apache-2.0
#include "health.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

namespace pintle::apiserver {
namespace {

// The steps at the start of a kube-apiserver 1.36, in the order in which its pages list them.
constexpr std::string_view start_checks[] = {"poststarthook/start-apiserver-admission-initializer",
                                             "poststarthook/generic-apiserver-start-informers",
                                             "poststarthook/priority-and-fairness-config-consumer",
                                             "poststarthook/priority-and-fairness-filter",
                                             "poststarthook/storage-object-count-tracker-hook",
                                             "poststarthook/start-apiextensions-informers",
                                             "poststarthook/start-apiextensions-controllers",
                                             "poststarthook/crd-informer-synced",
                                             "poststarthook/start-system-namespaces-controller",
                                             "poststarthook/start-cluster-authentication-info-controller",
                                             "poststarthook/start-kube-apiserver-identity-lease-controller",
                                             "poststarthook/start-kube-apiserver-identity-lease-garbage-collector",
                                             "poststarthook/storage-readiness",
                                             "poststarthook/start-legacy-token-tracking-controller",
                                             "poststarthook/start-service-ip-repair-controllers",
                                             "poststarthook/rbac/bootstrap-roles",
                                             "poststarthook/scheduling/bootstrap-system-priority-classes",
                                             "poststarthook/priority-and-fairness-config-producer",
                                             "poststarthook/bootstrap-controller",
                                             "poststarthook/start-kubernetes-service-cidr-controller",
                                             "poststarthook/aggregator-reload-proxy-client-cert",
                                             "poststarthook/start-kube-aggregator-informers",
                                             "poststarthook/apiservice-status-local-available-controller",
                                             "poststarthook/apiservice-status-remote-available-controller",
                                             "poststarthook/apiservice-registration-controller",
                                             "poststarthook/apiservice-discovery-controller",
                                             "poststarthook/kube-apiserver-autoregistration",
                                             "autoregister-completion",
                                             "poststarthook/apiservice-openapi-controller",
                                             "poststarthook/apiservice-openapiv3-controller"};

// "poststarthook/rbac/bootstrap-roles" of /readyz/poststarthook/rbac/bootstrap-roles.
std::string check_name(const std::vector<std::string>& path) {
  return fmt::format("{}", fmt::join(path.begin() + 1, path.end(), "/"));
}

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
  std::vector<std::string_view> out{"ping", "log", "etcd"};
  const bool is_ready_page = page == "readyz";
  if (is_ready_page) out.insert(out.end(), {"etcd-readiness", "informer-sync"});
  out.insert(out.end(), std::begin(start_checks), std::end(start_checks));
  if (is_ready_page) out.emplace_back("shutdown");
  return out;
}

std::optional<http::Response> health_page(const std::vector<std::string>& path, const http::Target& target) {
  if (path.empty() || (path[0] != "healthz" && path[0] != "livez" && path[0] != "readyz")) return std::nullopt;
  if (path.size() == 1) return text_page(200, target.parameter("verbose") ? report(path[0], target) : "ok");
  const auto checks = health_checks(path[0]);
  const bool exists = std::ranges::find(checks, check_name(path)) != checks.end();
  return exists ? text_page(200, "ok") : text_page(404, "404 page not found\n");
}

}  // namespace pintle::apiserver
