// SPDX-License-Identifier: Apache-2.0
// HostedProcess: main() of an operator on a thread of this process, in real time.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include <pintle/base/executor.hpp>
#include <pintle/base/mutex.hpp>
#include <pintle/manager/manager_host.hpp>

namespace pintle::testkit {

// start() and stop() are called on one thread; the other functions are thread-safe.
class HostedProcess final : private ManagerHost {
 public:
  HostedProcess(Executor& executor, std::function<int()> program, std::function<void(ManagerOptions&)> adjust);
  ~HostedProcess() override { stop(); }
  HostedProcess(const HostedProcess&) = delete;
  HostedProcess& operator=(const HostedProcess&) = delete;

  void start();
  // Ends the manager, and waits until main() has returned.
  void stop();
  [[nodiscard]] bool is_ready();
  // Why the process has ended, or would end, by itself.
  [[nodiscard]] std::optional<std::string> end();

 private:
  void prepare(ManagerOptions& options) override { adjust_(options); }
  int run(Manager& manager) override;
  void run_program();
  void ended(std::string why);

  Executor& executor_;
  const std::function<int()> program_;
  const std::function<void(ManagerOptions&)> adjust_;
  Mutex mutex_;
  CondVar changed_;
  Manager* manager_ PINTLE_GUARDED_BY(mutex_) = nullptr;
  std::optional<std::string> end_ PINTLE_GUARDED_BY(mutex_);
  bool must_stop_ PINTLE_GUARDED_BY(mutex_) = false;
  Thread thread_;
};

}  // namespace pintle::testkit
