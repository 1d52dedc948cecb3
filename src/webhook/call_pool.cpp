// SPDX-License-Identifier: Apache-2.0
#include "call_pool.hpp"

#include <string>
#include <utility>

namespace pintle {

bool CallPool::run(std::string name, std::function<void()> call) {
  {
    const MutexLock lock(mutex_);
    const bool needs_thread = waiting_.size() >= idle_;
    if (stopped_) return false;
    if (needs_thread && threads_.size() >= options_.threads && waiting_.size() >= idle_ + options_.max_waiting) {
      return false;
    }
    waiting_.push_back({.name = std::move(name), .function = std::move(call)});
    if (needs_thread && threads_.size() < options_.threads) {
      threads_.push_back(executor_.spawn({.name = "webhook-" + std::to_string(threads_.size())}, [this] { work(); }));
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
      running_.insert(call.name);
    }
    call.function();
    const MutexLock lock(mutex_);
    running_.erase(running_.find(call.name));
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
  return {running_.begin(), running_.end()};
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
