// SPDX-License-Identifier: Apache-2.0
#include <pintle/base/mutex.hpp>

#include <chrono>

namespace pintle {
namespace {

// Passes a held mutex to a std::condition_variable, which requires a unique_lock. The mutex is still held after the
// destructor.
class Lent {
 public:
  explicit Lent(std::mutex& mutex) : lock_(mutex, std::adopt_lock) {}
  ~Lent() { lock_.release(); }
  Lent(const Lent&) = delete;
  Lent& operator=(const Lent&) = delete;
  std::unique_lock<std::mutex>& lock() { return lock_; }

 private:
  std::unique_lock<std::mutex> lock_;
};

}  // namespace

void CondVar::wait(Mutex& mutex) {
  if (scheduler_ != nullptr) {
    scheduler_->wait(mutex.simulated_, simulated_, Instant::max());
    return;
  }
  Lent lent(mutex.real_);
  real_.wait(lent.lock());
}

bool CondVar::wait_until(Mutex& mutex, Instant deadline) {
  if (scheduler_ != nullptr) return scheduler_->wait(mutex.simulated_, simulated_, deadline);
  if (deadline == Instant::max()) {
    wait(mutex);
    return true;
  }
  const Duration left = deadline - executor_.now();
  if (left <= Duration::zero()) return false;
  // Waits in steps: the clock of a condition variable stops while the machine is suspended, and the clock of the
  // executor does not.
  constexpr Duration max_step = std::chrono::seconds(60);
  Lent lent(mutex.real_);
  const bool notified = real_.wait_for(lent.lock(), std::min(left, max_step)) == std::cv_status::no_timeout;
  return notified || executor_.now() < deadline;
}

void CondVar::notify_one() noexcept {
  if (scheduler_ != nullptr) {
    scheduler_->notify(simulated_, false);
  } else {
    real_.notify_one();
  }
}

void CondVar::notify_all() noexcept {
  if (scheduler_ != nullptr) {
    scheduler_->notify(simulated_, true);
  } else {
    real_.notify_all();
  }
}

}  // namespace pintle
