// Wakeup: how a writer tells a waiting reader that there may be more, without either holding a lock of the other.
#pragma once

#include <functional>

#include <pintle/base/executor.hpp>
#include <pintle/base/mutex.hpp>

namespace pintle::apiserver {

// Thread-safe. Nothing is locked while the function runs.
class Wakeup {
 public:
  explicit Wakeup(Executor& executor) : mutex_(executor), returned_(executor) {}

  void set(std::function<void()> function);
  // Calls the function, if it is set and close() has not been called.
  void ring();
  // No call begins after this, and none is under way when it returns. Not from inside the function.
  void close();

 private:
  Mutex mutex_;
  Condition returned_;
  std::function<void()> function_ PINTLE_GUARDED_BY(mutex_);
  int ringing_ PINTLE_GUARDED_BY(mutex_) = 0;
  bool closed_ PINTLE_GUARDED_BY(mutex_) = false;
};

}  // namespace pintle::apiserver
