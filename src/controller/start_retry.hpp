// SPDX-License-Identifier: Apache-2.0
// StartRetry: repeats one step of a start as long as it fails with a transient error.
#pragma once

#include <functional>
#include <stop_token>
#include <string>

#include <pintle/base/executor.hpp>
#include <pintle/base/log.hpp>
#include <pintle/base/result.hpp>

namespace pintle {

// Returns whether the same request may succeed later without a change of its content: there was no response, the server
// is overloaded or not ready, or the request conflicted with another writer.
[[nodiscard]] bool is_transient(const Error& error);

// Blocks; used by the thread that starts a manager. The executor must outlive this object.
class StartRetry {
 public:
  // `limit` is the maximum time from the call of run() to its last attempt.
  StartRetry(Executor& executor, Log log, Duration limit) : executor_(executor), log_(std::move(log)), limit_(limit) {}

  // Calls `step` at least once, until it succeeds, fails with an error that is not transient, or the limit is reached.
  // If the certificate of the server is not trusted, the limit is 15 s at most. The pause between two attempts doubles
  // from 200 ms to 10 s; a longer Retry-After of the server takes precedence. Errors: the error of the last attempt,
  // with `what` as the name of the step; cancelled.
  [[nodiscard]] Result<void> run(const std::string& what, const std::function<Result<void>()>& step,
                                 const std::stop_token& stop) const;

 private:
  Executor& executor_;
  const Log log_;
  const Duration limit_;
};

}  // namespace pintle
