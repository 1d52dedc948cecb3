// SPDX-License-Identifier: Apache-2.0
// HealthCheck: a check of the operator itself, as a part of /readyz or /healthz.
#pragma once

#include <chrono>
#include <functional>
#include <stop_token>
#include <string>

#include <pintle/base/required.hpp>
#include <pintle/base/result.hpp>
#include <pintle/base/time.hpp>

namespace pintle {

enum class HealthProbe {
  ready,  ///< /readyz: whether the operator can work; false takes a pod out of its Services
  alive,  ///< /healthz: false restarts the container; only for defects that a restart can correct
};

/// The check runs in the background on its own thread, and a page shows its last result. A page therefore never waits
/// for a check, however many clients read it. `GET /readyz?verbose` lists all checks, and `?exclude=NAME` ignores one.
/// The metric pintle_health_check{name,probe} is 1 while the check succeeds. A failure is logged, and each later change
/// of the result or of the error.
///
/// Before its first result, a check of /readyz counts as failed, and a check of /healthz as successful. A check that
/// runs for longer than `timeout` counts as failed until it returns.
struct HealthCheck {
  Required<std::string> name;  ///< unique for its probe; lower-case letters, digits and hyphens
  /// Returns an error if the check fails. The page shows the message of the error to all clients that can connect, so
  /// it must not contain secrets. An exception counts as an error. The function must return soon after a stop is
  /// requested, because Manager::stop() waits for it.
  Required<std::function<Result<void>(const std::stop_token&)>> check;
  HealthProbe probe = HealthProbe::ready;
  Duration interval = std::chrono::seconds(5);  ///< time from the end of one run to the next
  Duration timeout = std::chrono::seconds(5);
};

}  // namespace pintle
