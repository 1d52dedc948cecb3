// SPDX-License-Identifier: Apache-2.0
// PerThread: one value for each thread. A function can pass a value to all functions further down the call stack of its
// thread, without a parameter or a global variable.
#pragma once

#include <map>
#include <thread>
#include <utility>

#include <pintle/base/mutex.hpp>

namespace pintle {

/// Holds at most one pointer to a T for each thread. Each access takes a lock. Thread-safe.
template <class T>
class PerThread {
 public:
  explicit PerThread(Executor& executor) : scheduler_(executor.scheduler()), mutex_(executor) {}

  /// Binds `value` to the constructing thread, which must also destroy the binding. While the binding exists, get()
  /// returns `value` on this thread. The destructor restores the previous binding.
  class Binding {
   public:
    Binding(PerThread& of, T& value) : of_(of), outer_(of.exchange(&value)) {}
    ~Binding() { of_.exchange(outer_); }
    Binding(const Binding&) = delete;
    Binding& operator=(const Binding&) = delete;

   private:
    PerThread& of_;
    T* const outer_;
  };

  /// Returns the value that is bound to the calling thread, or null.
  [[nodiscard]] T* get() const {
    const MutexLock lock(mutex_);
    const auto found = values_.find(this_thread());
    return found == values_.end() ? nullptr : found->second;
  }

 private:
  // Simulated threads may share a thread of the machine.
  using Id = std::pair<const Scheduler::SimulatedThread*, std::thread::id>;

  [[nodiscard]] Id this_thread() const {
    return scheduler_ != nullptr ? Id{scheduler_->current(), {}} : Id{nullptr, std::this_thread::get_id()};
  }

  T* exchange(T* value) {
    const MutexLock lock(mutex_);
    const auto place = values_.try_emplace(this_thread(), nullptr).first;
    T* const before = place->second;
    if (value == nullptr) {
      values_.erase(place);
    } else {
      place->second = value;
    }
    return before;
  }

  const Scheduler* const scheduler_;
  mutable Mutex mutex_;
  std::map<Id, T*> values_ PINTLE_GUARDED_BY(mutex_);
};

}  // namespace pintle
