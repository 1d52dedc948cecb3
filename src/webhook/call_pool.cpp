// SPDX-License-Identifier: Apache-2.0
#include "call_pool.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace pintle {

bool CallPool::run(std::string name, Instant deadline, std::function<void()> call) {
  {
    const MutexLock lock(mutex_);
    const bool needs_thread = waiting_.size() >= idle_;
    if (stopped_) return false;
    if (needs_thread && threads_.size() >= options_.threads && waiting_.size() >= idle_ + options_.max_waiting) {
      return false;
    }
    waiting_.push_back({.name = std::move(name), .deadline = deadline, .function = std::move(call)});
    if (needs_thread && threads_.size() < options_.threads) {
      threads_.push_back(
          executor_.spawn({.name = options_.name + "-" + std::to_string(threads_.size())}, [this] { work(); }));
    }
  }
  changed_.notify_one();
  return true;
}

void CallPool::work() {
  while (true) {
    Call call;
    {
      const MutexLock lock(mutex_);
      ++idle_;
      while (waiting_.empty() && !stopped_) changed_.wait(mutex_);
      --idle_;
      if (stopped_) return;
      call = std::move(waiting_.front());
      waiting_.pop_front();
      running_.emplace(call.name, call.deadline);
    }
    call.function();
    const MutexLock lock(mutex_);
    running_.erase(running_.find({call.name, call.deadline}));
    if (stopped_) ended_.notify_all();
  }
}

void CallPool::request_stop() {
  std::deque<Call> dropped;
  {
    const MutexLock lock(mutex_);
    stopped_ = true;
    dropped.swap(waiting_);
  }
  changed_.notify_all();
  stop_.request_stop();
}

bool CallPool::wait_until(Instant deadline) {
  const MutexLock lock(mutex_);
  while (!running_.empty()) {
    if (!ended_.wait_until(mutex_, deadline)) return running_.empty();
  }
  return true;
}

std::vector<std::string> CallPool::running() const {
  const MutexLock lock(mutex_);
  return names();
}

std::vector<std::string> CallPool::names() const {
  std::vector<std::string> all;
  all.reserve(running_.size());
  for (const auto& [name, deadline] : running_) all.push_back(name);
  return all;
}

std::vector<std::string> CallPool::blocked_by(Duration time) const {
  const MutexLock lock(mutex_);
  if (running_.size() < options_.threads) return {};
  const auto is_late = [&](const auto& call) { return after(call.second, time) <= executor_.now(); };
  return std::all_of(running_.begin(), running_.end(), is_late) ? names() : std::vector<std::string>();
}

void CallPool::stop() {
  request_stop();
  std::vector<Thread> threads;
  {
    const MutexLock lock(mutex_);
    threads.swap(threads_);
  }
  for (Thread& thread : threads) thread.join();
}

}  // namespace pintle
