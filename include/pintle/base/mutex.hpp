// SPDX-License-Identifier: Apache-2.0
// Mutex and CondVar: a mutex and a condition variable for an executor. In a simulation, locking and waiting are
// scheduling points.
#pragma once

#include <condition_variable>
#include <mutex>

#include <pintle/base/annotations.hpp>
#include <pintle/base/executor.hpp>
#include <pintle/base/scheduler.hpp>

namespace pintle {

/// A non-recursive mutex. On the real executor it costs one predictable branch more than std::mutex.
class PINTLE_CAPABILITY("mutex") Mutex {
 public:
  explicit Mutex(Executor& executor) noexcept : scheduler_(executor.scheduler()) {}
  /// A mutex whose operations are not scheduling points of a simulation. Call no function that locks, waits or sends
  /// while it is locked.
  Mutex() noexcept : scheduler_(nullptr) {}
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
  friend class CondVar;

  Scheduler* scheduler_;
  std::mutex real_;
  Scheduler::Lock simulated_;
};

/// Holds a Mutex during a scope.
class PINTLE_SCOPED_CAPABILITY MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) PINTLE_ACQUIRE(mutex) : mutex_(mutex) { mutex_.lock(); }
  ~MutexLock() PINTLE_RELEASE() { mutex_.unlock(); }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

 private:
  Mutex& mutex_;
};

/// A condition variable. Spurious wake-ups are possible: wait in a loop. Thread-safe.
class PINTLE_EXPORT CondVar {
 public:
  explicit CondVar(Executor& executor) noexcept : executor_(executor), scheduler_(executor.scheduler()) {}
  CondVar(const CondVar&) = delete;
  CondVar& operator=(const CondVar&) = delete;

  /// Unlocks `mutex`, waits for a notification and locks `mutex` again. The caller must hold `mutex` and no other lock.
  void wait(Mutex& mutex) PINTLE_REQUIRES(mutex);
  /// As wait(), but until `deadline` at the latest. Returns false if the deadline has passed. Instant::max() means no
  /// deadline.
  bool wait_until(Mutex& mutex, Instant deadline) PINTLE_REQUIRES(mutex);

  /// Call these after unlocking the mutex; otherwise the woken thread blocks on it immediately. The CondVar must exist
  /// until the call returns. Use notify_one() only if all waiting threads wait for the same condition.
  void notify_one() noexcept;
  void notify_all() noexcept;

 private:
  Executor& executor_;
  Scheduler* scheduler_;
  std::condition_variable real_;
  Scheduler::Queue simulated_;
};

}  // namespace pintle
