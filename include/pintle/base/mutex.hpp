// Mutex and Condition on a Runtime: a plain lock in a real run, a scheduling point in a simulated one.
#pragma once

#include <condition_variable>
#include <mutex>

#include <pintle/base/annotations.hpp>
#include <pintle/base/runtime.hpp>
#include <pintle/base/scheduler.hpp>

namespace pintle {

// Not recursive. On a real runtime it costs one predictable branch more than std::mutex.
class PINTLE_CAPABILITY("mutex") Mutex {
 public:
  explicit Mutex(Runtime& runtime) noexcept : scheduler_(runtime.scheduler()) {}
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

  void lock() PINTLE_ACQUIRE() {
    if (scheduler_ != nullptr) [[unlikely]] {
      scheduler_->lock(simulated_);
    } else {
      real_.lock();
    }
  }
  void unlock() PINTLE_RELEASE() {
    if (scheduler_ != nullptr) [[unlikely]] {
      scheduler_->unlock(simulated_);
    } else {
      real_.unlock();
    }
  }

 private:
  friend class Condition;

  Scheduler* scheduler_;
  std::mutex real_;
  Scheduler::Lock simulated_;
};

// Holds a Mutex for a scope.
class PINTLE_SCOPED_CAPABILITY MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) PINTLE_ACQUIRE(mutex) : mutex_(mutex) { mutex_.lock(); }
  ~MutexLock() PINTLE_RELEASE() { mutex_.unlock(); }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

 private:
  Mutex& mutex_;
};

// A condition variable. Waits may wake for no reason: wait in a loop. Thread-safe.
class Condition {
 public:
  explicit Condition(Runtime& runtime) noexcept : runtime_(runtime), scheduler_(runtime.scheduler()) {}
  Condition(const Condition&) = delete;
  Condition& operator=(const Condition&) = delete;

  // Gives `mutex`, which the caller holds, up until it is notified. Holding a second lock meanwhile is a fault.
  void wait(Mutex& mutex) PINTLE_REQUIRES(mutex);
  // The same until `deadline` at the latest; false when that passed. Instant::max() waits for ever.
  bool wait_until(Mutex& mutex, Instant deadline) PINTLE_REQUIRES(mutex);

  // Best when the mutex is free again, or who is woken goes to sleep at once to wait for it. The condition has to be
  // there until it returns, and notify_one() serves only where all who wait want the same.
  void notify_one() noexcept;
  void notify_all() noexcept;

 private:
  Runtime& runtime_;
  Scheduler* scheduler_;
  std::condition_variable real_;
  Scheduler::Queue simulated_;
};

}  // namespace pintle
