// StartRetry: repeats one step of a start while it fails for a reason that may pass.
#pragma once

#include <functional>
#include <stop_token>
#include <string>

#include <pintle/base/executor.hpp>
#include <pintle/base/log.hpp>
#include <pintle/base/result.hpp>

namespace pintle {

// Whether the same request may succeed later although nobody changes its content: no answer, a server that is
// overloaded or not ready, a conflict with another writer.
[[nodiscard]] bool is_transient(const Error& error);

// Blocking; used by the thread that starts a manager. The executor must outlive it.
class StartRetry {
 public:
  // `limit` is the time from the call of run() to the last attempt.
  StartRetry(Executor& executor, Log log, Duration limit) : executor_(executor), log_(std::move(log)), limit_(limit) {}

  // Calls `step` until it succeeds, or fails with an error that is not transient, or the limit is over; at least once.
  // An error that says that a server's certificate cannot be trusted is not waited for longer than 15 s.
  // The pause between two attempts doubles from 200 ms to 10 s, or is the Retry-After of the server if that is longer.
  // Errors: that of the last attempt, with `what` as the thing that was being done; cancelled.
  [[nodiscard]] Result<void> run(const std::string& what, const std::function<Result<void>()>& step,
                                 const std::stop_token& stop) const;

 private:
  Executor& executor_;
  const Log log_;
  const Duration limit_;
};

}  // namespace pintle
