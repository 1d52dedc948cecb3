// SPDX-License-Identifier: Apache-2.0
// HealthCheckRunner: runs one health check in the background.
#pragma once

#include <optional>
#include <stop_token>
#include <string>

#include <pintle/base/executor.hpp>
#include <pintle/base/log.hpp>
#include <pintle/base/metrics.hpp>
#include <pintle/base/mutex.hpp>
#include <pintle/manager/health_check.hpp>

namespace pintle {

// Error texts of all checks; each names the check and the remedy.
[[nodiscard]] std::vector<Error> validate(const std::vector<HealthCheck>& checks);

// Thread-safe.
class HealthCheckRunner {
 public:
  // Starts the thread.
  HealthCheckRunner(HealthCheck check, Executor& executor, MetricsRegistry& metrics, const Log& log);
  ~HealthCheckRunner();  // waits for the check
  HealthCheckRunner(const HealthCheckRunner&) = delete;
  HealthCheckRunner& operator=(const HealthCheckRunner&) = delete;

  void request_stop() noexcept { stop_.request_stop(); }
  [[nodiscard]] const std::string& name() const noexcept { return check_.name.value(); }
  [[nodiscard]] HealthProbe probe() const noexcept { return check_.probe; }
  // Returns the last result, or that the check runs too long, and updates the metric. Logs a change. Never waits for
  // the check.
  Result<void> result();

 private:
  void run();
  [[nodiscard]] Result<void> run_once();

  const HealthCheck check_;
  Executor& executor_;
  const Log log_;
  const Gauge succeeds_;
  std::stop_source stop_;
  mutable Mutex mutex_;
  std::optional<Result<void>> last_ PINTLE_GUARDED_BY(mutex_);  // empty before the first result
  std::optional<Instant> running_since_ PINTLE_GUARDED_BY(mutex_);
  // The error that the metric and the log show, or an empty text for a success.
  std::optional<std::string> published_ PINTLE_GUARDED_BY(mutex_);
  Thread thread_;
};

}  // namespace pintle
