// SPDX-License-Identifier: Apache-2.0
#include "service_thread.hpp"

#include <utility>

namespace pintle::http {

void ServiceThread::start(ThreadOptions options, std::function<void()> body) {
  Thread started = executor_.spawn(std::move(options), std::move(body));
  MutexLock lock(mutex_);
  thread_ = std::move(started);
  state_ = State::running;
}

void ServiceThread::join() {
  Thread ending;
  {
    MutexLock lock(mutex_);
    while (state_ == State::joining) changed_.wait(mutex_);
    if (state_ != State::running) return;
    state_ = State::joining;
    ending = std::move(thread_);
  }
  ending.join();
  MutexLock lock(mutex_);
  state_ = State::joined;
  changed_.notify_all();
}

}  // namespace pintle::http
