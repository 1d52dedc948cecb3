// SPDX-License-Identifier: Apache-2.0
// RunnableRunner: runs one runnable on its thread.
#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include <pintle/base/executor.hpp>
#include <pintle/base/log.hpp>
#include <pintle/base/mutex.hpp>
#include <pintle/client/client.hpp>
#include <pintle/manager/runnable.hpp>

namespace pintle {

// Error texts of all runnables; each names the runnable and the remedy.
[[nodiscard]] std::vector<Error> validate(const std::vector<Runnable>& runnables);

// Thread-safe, except for start().
class RunnableRunner {
 public:
  // `failed` is called on the thread of the runnable with its error, at most once.
  RunnableRunner(Runnable runnable, std::shared_ptr<Client> client, Executor& executor, const Log& log,
                 std::function<void(Error)> failed);
  ~RunnableRunner();  // waits for the runnable
  RunnableRunner(const RunnableRunner&) = delete;
  RunnableRunner& operator=(const RunnableRunner&) = delete;

  // Starts the thread, unless a stop was requested.
  void start();
  void request_stop() noexcept { stop_.request_stop(); }
  // Waits for the end of the runnable. Returns false if it still runs at the deadline.
  [[nodiscard]] bool wait_until(Instant deadline);
  [[nodiscard]] const std::string& name() const noexcept { return runnable_.name.value(); }
  [[nodiscard]] Leadership leadership() const noexcept { return runnable_.leadership; }

 private:
  void run();
  [[nodiscard]] Result<void> run_body();

  const Runnable runnable_;
  const std::shared_ptr<Client> client_;
  Executor& executor_;
  const Log log_;
  const std::function<void(Error)> failed_;
  std::stop_source stop_;
  Mutex mutex_;
  CondVar changed_;
  bool runs_ PINTLE_GUARDED_BY(mutex_) = false;
  Thread thread_;
};

}  // namespace pintle
