// SPDX-License-Identifier: Apache-2.0
#include <pintle/patterns/crud/retry.hpp>

#include <algorithm>

#include <pintle/base/random.hpp>
#include <pintle/patterns/crud/reconcile_flags.hpp>

namespace pintle::crud {

Result<void> retry(Executor& executor, const std::stop_token& stop, const RetryPolicy& policy, const Call& call,
                   const std::function<bool(const Error&, Duration wait)>& before_wait) {
  for (unsigned retries = 0;; ++retries) {
    auto done = call();
    if (done || retries == policy.max_retries) return done;
    if (done.error().is_terminal || done.error().code == ErrorCode::cancelled) return done;
    const Duration wait = std::max(policy.backoff.delay(retries, Random::to_unit(executor.random())),
                                   done.error().retry_after.value_or(Duration::zero()));
    if (before_wait && !before_wait(done.error(), wait)) return done;
    if (executor.sleep_for(wait, stop)) continue;
    return fail(ErrorCode::cancelled,
                "cancelled before the next attempt; the last attempt failed: " + done.error().to_string());
  }
}

Around with_retries(RetryPolicy policy) {
  return [policy](const Operation&, const Call& call, Context& context) {
    const auto continues = [&](const Error& error, Duration wait) {
      // An operation that sets one of these flags is not retried, even if it fails.
      const ReconcileFlags& flags = reconcile_flags(context);
      if (flags.reconciliation_canceled.is_set() || flags.resource_canceled.is_set()) return false;
      log(context).warning("retrying due to error",
                           {{"error", error.to_string()}, {"again_in", format_duration(wait)}});
      return true;
    };
    return retry(context.executor(), context.stop_token(), policy, call, continues);
  };
}

}  // namespace pintle::crud
