// Health: /healthz, /readyz, /metrics and optionally /debug/ of a manager.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <pintle/base/metrics.hpp>
#include <pintle/base/result.hpp>
#include <pintle/http/handler.hpp>

namespace pintle {

struct HealthChecks {
  std::function<bool()> is_ready{};
  std::function<std::vector<std::string>()> missing{};   // while it is not ready: the initial lists that are missing
  std::function<Result<void>()> check_alive{};           // an error: the process should be restarted
  std::function<std::vector<std::string>()> problems{};  // while it is ready: the caches that may be wrong
  std::function<Result<void>()> check_served{};          // an error: a watched kind is not served; shown by /readyz
  std::function<void()> before_metrics{};                // updates the metrics that grow with time
  http::Handler* debug = nullptr;                        // everything below /debug/; null: 404
  http::Handler* profile = nullptr;                      // /debug/profile and /debug/heap; null: 404
};

// As thread-safe as the checks.
class Health final : public http::Handler {
 public:
  Health(MetricsRegistry& metrics, HealthChecks checks) : metrics_(metrics), checks_(std::move(checks)) {}

  [[nodiscard]] http::Response handle(const http::Request& request) override;

 private:
  [[nodiscard]] std::string why_not_ready() const;
  [[nodiscard]] http::Response ready() const;

  MetricsRegistry& metrics_;
  const HealthChecks checks_;
};

}  // namespace pintle
