// SPDX-License-Identifier: Apache-2.0
#include "call_pool.hpp"

#include <string>
#include <utility>

namespace pintle {

bool CallPool::run(std::function<void()> call) {
  {
    const MutexLock lock(mutex_);
    const bool needs_thread = waiting_.size() >= idle_;
    if (stopped_) return false;
    if (needs_thread && threads_.size() >= options_.threads && waiting_.size() >= idle_ + options_.max_waiting) {
      return false;
    }
    waiting_.push_back(std::move(call));
    if (needs_thread && threads_.size() < options_.threads) {
      threads_.push_back(executor_.spawn({.name = "webhook-" + std::to_string(threads_.size())}, [this] { work(); }));
    }
  }
  changed_.notify_one();
  return true;
}

void CallPool::work() {
  while (true) {
    std::function<void()> call;
    {
      const MutexLock lock(mutex_);
      ++idle_;
      while (waiting_.empty() && !stopped_) changed_.wait(mutex_);
      --idle_;
      if (stopped_) return;
      call = std::move(waiting_.front());
      waiting_.pop_front();
    }
    call();
  }
}

void CallPool::stop() {
  std::deque<std::function<void()>> dropped;
  std::vector<Thread> threads;
  {
    const MutexLock lock(mutex_);
    stopped_ = true;
    dropped.swap(waiting_);
    threads.swap(threads_);
  }
  changed_.notify_all();
  stop_.request_stop();
  for (Thread& thread : threads) thread.join();
}

}  // namespace pintle
