// SPDX-License-Identifier: Apache-2.0
#include "start_retry.hpp"

#include <algorithm>
#include <utility>

#include <pintle/base/backoff.hpp>
#include <pintle/http/transport.hpp>

namespace pintle {
namespace {

// An untrusted certificate may be about to be replaced, but usually a person has to correct the configuration.
constexpr Duration patience_with_certificates = std::chrono::seconds(15);

constexpr Backoff pauses{.base = std::chrono::milliseconds(200), .factor = 2, .cap = std::chrono::seconds(10)};

}  // namespace

bool is_transient(const Error& error) {
  constexpr int conflict = 409;
  if (error.is_terminal) return false;
  switch (error.code) {
    case ErrorCode::unreachable:
    case ErrorCode::unavailable:
    case ErrorCode::too_many_requests:
    case ErrorCode::timeout:
    case ErrorCode::expired: return true;
    default: return error.http_status == conflict || error.http_status >= 500;
  }
}

Result<void> StartRetry::run(const std::string& what, const std::function<Result<void>()>& step,
                             const std::stop_token& stop) const {
  const Instant begun = executor_.now();
  for (unsigned attempt = 0;; ++attempt) {
    auto done = step();
    if (done) return done;
    if (stop.stop_requested()) return fail(ErrorCode::cancelled, "cancelled");
    if (!is_transient(done.error())) return std::move(done).with_operation(what);
    const Duration pause = std::max(pauses.delay(attempt), done.error().retry_after.value_or(Duration::zero()));
    const bool is_untrusted = done.error().reason == http::untrusted_certificate;
    const Duration limit = is_untrusted ? std::min(limit_, patience_with_certificates) : limit_;
    if (after(executor_.now(), pause) > after(begun, limit)) {
      return std::move(done)
          .with_operation("no success after " + format_duration(executor_.now() - begun) + " and " +
                          std::to_string(attempt + 1) + (attempt == 0 ? " attempt" : " attempts"))
          .with_operation(what);
    }
    log_.warning("a step of the start failed and will be retried",
                 {{"step", what}, {"error", done.error().to_string()}, {"attempt", attempt + 1}});
    if (!executor_.sleep_for(pause, stop)) return fail(ErrorCode::cancelled, "cancelled");
  }
}

}  // namespace pintle
