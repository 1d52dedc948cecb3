// SPDX-License-Identifier: Apache-2.0
#include "loop.hpp"

#include <algorithm>

namespace pintle::http {

Loop::Loop(Executor& executor, std::function<void()> wake)
    : executor_(executor), wake_(std::move(wake)), mutex_(executor), condition_(executor), thread_(executor) {}

void Loop::start(std::function<void()> body) { thread_.start({.name = "io", .may_block = false}, std::move(body)); }

void Loop::stop() {
  {
    MutexLock lock(mutex_);
    closed_ = true;
  }
  changed();
  thread_.join();
}

bool Loop::post(std::function<void()> function, AtClose at_close) {
  {
    MutexLock lock(mutex_);
    if (closed_) return false;
    tasks_.push_back({std::move(function), at_close});
  }
  changed();
  return true;
}

Loop::TimerId Loop::start_timer(Instant at, std::function<void()> function) {
  TimerId id = 0;
  bool is_first = false;
  {
    MutexLock lock(mutex_);
    id = next_timer_++;
    if (closed_) return id;
    const auto timer = timers_.emplace(std::pair(at, id), std::move(function)).first;
    timer_times_.emplace(id, at);
    is_first = timer == timers_.begin();
  }
  if (is_first) changed();
  return id;
}

void Loop::cancel_timer(TimerId timer) {
  std::function<void()> dropped;  // destroyed after the lock is released
  MutexLock lock(mutex_);
  const auto time = timer_times_.find(timer);
  if (time == timer_times_.end()) return;
  const auto found = timers_.find({time->second, timer});
  dropped = std::move(found->second);
  timers_.erase(found);
  timer_times_.erase(time);
}

void Loop::changed() {
  condition_.notify_all();
  if (wake_) wake_();
}

bool Loop::run_due() {
  std::vector<Task> tasks;
  Timers dropped;
  bool closed = false;
  {
    MutexLock lock(mutex_);
    closed = closed_;
    tasks.swap(tasks_);
    if (closed) {
      dropped.swap(timers_);
      timer_times_.clear();
    }
  }
  for (Task& task : tasks) {
    const auto function = std::move(task.function);
    if (!closed || task.at_close == AtClose::run) function();
  }
  if (!closed) run_timers();
  return !closed;
}

// Runs one timer at a time, because each may cancel the next one. Timers that are started meanwhile run in the next
// call.
void Loop::run_timers() {
  const Instant now = executor_.now();
  TimerId end = 0;
  for (;;) {
    std::function<void()> function;
    {
      MutexLock lock(mutex_);
      if (end == 0) end = next_timer_;
      const auto due = std::find_if(timers_.begin(), timers_.end(), [&](const auto& timer) {
        return timer.first.first > now || timer.first.second < end;
      });
      if (closed_ || due == timers_.end() || due->first.first > now) return;
      function = std::move(due->second);
      timer_times_.erase(due->first.second);
      timers_.erase(due);
    }
    function();
  }
}

void Loop::wait() {
  MutexLock lock(mutex_);
  while (!busy()) {
    if (timers_.empty()) {
      condition_.wait(mutex_);
    } else if (!condition_.wait_until(mutex_, timers_.begin()->first.first)) {
      return;
    }
  }
}

Instant Loop::next_due() {
  MutexLock lock(mutex_);
  if (busy()) return Instant::min();
  return timers_.empty() ? Instant::max() : timers_.begin()->first.first;
}

}  // namespace pintle::http
