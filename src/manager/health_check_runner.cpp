// SPDX-License-Identifier: Apache-2.0
#include "health_check_runner.hpp"

#include <set>
#include <utility>

#include <pintle/base/exceptions.hpp>
#include <pintle/object/names.hpp>

namespace pintle {
namespace {

const char* label_of(HealthProbe probe) { return probe == HealthProbe::ready ? "ready" : "alive"; }

}  // namespace

std::vector<Error> validate(const std::vector<HealthCheck>& checks) {
  std::vector<Error> errors;
  std::set<std::pair<HealthProbe, std::string>> names;
  for (const HealthCheck& check : checks) {
    const std::string& name = check.name.value();
    const auto wrong = [&](const std::string& what) {
      errors.push_back(make_error(ErrorCode::invalid, "health check \"" + name + "\" " + what));
    };
    if (const auto error = names::validate_dns1123_label(name)) wrong("has an invalid .name: it " + *error);
    if (!names.emplace(check.probe, name).second) wrong("exists twice; change the .name of one of them");
    if (name == "ping" || name == "caches" || name == "definitions" || name == "leader-election") {
      wrong("has the .name of a built-in check; choose another one");
    }
    if (!check.check.value()) wrong("has an empty .check; set the function");
    if (check.interval <= Duration::zero() || check.timeout <= Duration::zero()) {
      wrong("has an .interval or .timeout that is not positive; set a positive time or omit it");
    }
  }
  return errors;
}

HealthCheckRunner::HealthCheckRunner(HealthCheck check, Executor& executor, MetricsRegistry& metrics, const Log& log)
    : check_(std::move(check)),
      executor_(executor),
      log_(log.with({{"check", check_.name.value()}})),
      succeeds_(metrics.gauge("pintle_health_check", "1 while the health check succeeds.",
                              {{"name", check_.name.value()}, {"probe", label_of(check_.probe)}})),
      mutex_(executor),
      thread_(executor.spawn({.name = "check-" + check_.name.value()}, [this] { run(); })) {}

HealthCheckRunner::~HealthCheckRunner() {
  request_stop();
  thread_.join();
}

Result<void> HealthCheckRunner::result() {
  std::string error;
  Result<void> shown;
  bool is_first = false;
  {
    const MutexLock lock(mutex_);
    if (running_since_ && executor_.now() - *running_since_ > check_.timeout) {
      shown = fail(ErrorCode::timeout, "the check has been running for " +
                                           format_duration(executor_.now() - *running_since_) + ", longer than " +
                                           format_duration(check_.timeout));
      error = "it runs longer than " + format_duration(check_.timeout);
    } else if (last_) {
      shown = *last_;
      if (!shown) error = shown.error().to_string();
    } else if (check_.probe == HealthProbe::alive) {
      return {};
    } else {
      return fail(ErrorCode::unavailable, "the check has not finished yet");
    }
    if (published_ == error) return shown;
    is_first = !published_;
    published_ = error;
    succeeds_.set(shown ? 1 : 0);
  }
  if (!shown) {
    log_.warning("the health check fails", {{"error", error}});
  } else if (!is_first) {
    log_.info("the health check succeeds again");
  }
  return shown;
}

void HealthCheckRunner::run() {
  do {
    {
      const MutexLock lock(mutex_);
      running_since_ = executor_.now();
    }
    Result<void> result = run_once();
    if (stop_.stop_requested()) return;
    {
      const MutexLock lock(mutex_);
      last_ = std::move(result);
      running_since_.reset();
    }
    (void)this->result();
  } while (executor_.sleep_for(check_.interval, stop_.get_token()));
}

Result<void> HealthCheckRunner::run_once() {
  try {
    return check_.check.value()(stop_.get_token());
  } catch (...) {
    return fail(ErrorCode::unknown, "the check threw " + describe_exception());
  }
}

}  // namespace pintle
