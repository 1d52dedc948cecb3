// SPDX-License-Identifier: Apache-2.0
#include "wakeup.hpp"

#include <utility>

namespace pintle::apiserver {

void Wakeup::set(std::function<void()> function) {
  const MutexLock lock(mutex_);
  function_ = std::move(function);
}

void Wakeup::ring() {
  std::function<void()> function;
  {
    const MutexLock lock(mutex_);
    if (closed_ || !function_) return;
    function = function_;
    ++ringing_;
  }
  function();
  const MutexLock lock(mutex_);
  if (--ringing_ == 0) returned_.notify_all();
}

void Wakeup::close() {
  const MutexLock lock(mutex_);
  closed_ = true;
  while (ringing_ > 0) returned_.wait(mutex_);
  function_ = nullptr;
}

}  // namespace pintle::apiserver
