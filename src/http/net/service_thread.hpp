// ServiceThread: a thread whose end several may wait for.
#pragma once

#include <functional>

#include <pintle/base/mutex.hpp>
#include <pintle/base/runtime.hpp>

namespace pintle::http {

// Thread-safe, but for start(), which comes first.
class ServiceThread {
 public:
  explicit ServiceThread(Runtime& runtime) : runtime_(runtime), mutex_(runtime), changed_(runtime) {}

  void start(ThreadOptions options, std::function<void()> body);
  // Waits for the end, whichever caller joins; nothing when it was never started. Not from the thread itself.
  void join();

 private:
  enum class State { not_started, running, joining, joined };

  Runtime& runtime_;
  Mutex mutex_;
  Condition changed_;
  State state_ PINTLE_GUARDED_BY(mutex_) = State::not_started;
  Thread thread_ PINTLE_GUARDED_BY(mutex_);
};

}  // namespace pintle::http
