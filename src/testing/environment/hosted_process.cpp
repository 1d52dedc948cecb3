// SPDX-License-Identifier: Apache-2.0
#include "hosted_process.hpp"

#include <utility>

#include <pintle/base/exceptions.hpp>

namespace pintle::testkit {

HostedProcess::HostedProcess(Executor& executor, std::function<int()> program,
                             std::function<void(ManagerOptions&)> adjust)
    : executor_(executor),
      program_(std::move(program)),
      adjust_(std::move(adjust)),
      mutex_(executor),
      changed_(executor) {}

void HostedProcess::start() {
  thread_ = executor_.spawn({.name = "process"}, [this] { run_program(); });
}

void HostedProcess::run_program() {
  const HostedThread hosted(*this);
  try {
    const int code = program_();
    ended("the program ended with the code " + std::to_string(code) +
          " before run_until_signal(); it must call it with its manager");
  } catch (...) {
    ended("the program threw " + describe_exception());
  }
}

// The first reason is kept.
void HostedProcess::ended(std::string why) {
  const MutexLock lock(mutex_);
  if (!end_) end_ = std::move(why);
}

int HostedProcess::run(Manager& manager) {
  {
    const MutexLock lock(mutex_);
    if (must_stop_) return 0;
    manager_ = &manager;
  }
  auto result = manager.start();
  if (result) result = manager.wait();
  ended(result ? "it was requested to stop" : result.error().to_string());
  {
    const MutexLock lock(mutex_);
    while (!must_stop_) changed_.wait(mutex_);
  }
  manager.stop();
  const MutexLock lock(mutex_);
  manager_ = nullptr;
  return result ? 0 : 1;
}

void HostedProcess::stop() {
  {
    const MutexLock lock(mutex_);
    must_stop_ = true;
    if (manager_ != nullptr) manager_->request_stop();
  }
  changed_.notify_all();
  thread_.join();
}

bool HostedProcess::is_ready() {
  const MutexLock lock(mutex_);
  return manager_ != nullptr && !end_ && manager_->is_ready();
}

std::optional<std::string> HostedProcess::end() {
  const MutexLock lock(mutex_);
  return end_;
}

}  // namespace pintle::testkit
