// SPDX-License-Identifier: Apache-2.0
// Health: /healthz, /readyz, /metrics and optionally /debug/ of a manager.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <pintle/base/log.hpp>
#include <pintle/base/metrics.hpp>
#include <pintle/base/result.hpp>
#include <pintle/http/handler.hpp>
#include <pintle/manager/health_check.hpp>
#include <pintle/manager/page.hpp>

namespace pintle {

// The result of one check, by name.
using CheckResult = std::pair<std::string, Result<void>>;

struct HealthChecks {
  std::function<bool()> is_ready{};
  std::function<std::vector<std::string>()> missing{};   // while it is not ready: the initial lists that are missing
  std::function<Result<void>()> check_alive{};           // an error: the process should be restarted
  std::function<Result<void>()> check_webhooks{};        // as check_alive; empty: no webhooks
  std::function<std::vector<std::string>()> problems{};  // while it is ready: the caches that may be wrong
  std::function<Result<void>()> check_served{};          // an error: a watched kind is not served; shown by /readyz
  std::function<void()> before_metrics{};                // updates the metrics that grow with time
  http::Handler* debug = nullptr;                        // everything below /debug/; null: 404
  http::Handler* profile = nullptr;                      // /debug/profile and /debug/heap; null: 404
  std::function<std::vector<CheckResult>(HealthProbe)> own{};  // the last results of the checks of the operator
  std::vector<Page> pages{};                                   // of the operator
  Log log{};
};

// Returns the errors of the pages of an operator; each names the page and the remedy.
[[nodiscard]] std::vector<Error> validate(const std::vector<Page>& pages);

// /healthz and /readyz with `?verbose` list all checks, as in Kubernetes programs; `?exclude=NAME` ignores a check. As
// thread-safe as the checks.
class Health final : public http::Handler {
 public:
  Health(MetricsRegistry& metrics, HealthChecks checks) : metrics_(metrics), checks_(std::move(checks)) {}

  [[nodiscard]] http::Response handle(const http::Request& request) override;

 private:
  [[nodiscard]] std::string why_not_ready() const;
  [[nodiscard]] std::vector<CheckResult> results(HealthProbe probe) const;
  [[nodiscard]] http::Response probe_page(HealthProbe probe, const http::Target& target) const;
  [[nodiscard]] const Page* page_at(std::string_view path) const;
  [[nodiscard]] http::Response serve(const Page& page, const http::Request& request) const;

  MetricsRegistry& metrics_;
  const HealthChecks checks_;
};

}  // namespace pintle
