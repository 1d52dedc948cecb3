// BlockingPool: a few threads for answers that have to wait.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <vector>

#include <pintle/base/mutex.hpp>
#include <pintle/base/runtime.hpp>
#include <pintle/http/handler.hpp>

namespace pintle::http {

inline constexpr std::size_t blocking_threads = 2;
inline constexpr std::size_t blocking_limit = 64;  // answers that wait for one of them

// Runs functions that may block, in the order they came. Its threads start when they are first needed. Thread-safe, but
// for run(), which one thread at a time calls.
class BlockingPool {
 public:
  BlockingPool(Runtime& runtime, std::size_t threads, std::size_t limit)
      : runtime_(runtime), most_(threads), limit_(limit), mutex_(runtime), changed_(runtime) {}
  ~BlockingPool() { stop(); }
  BlockingPool(const BlockingPool&) = delete;
  BlockingPool& operator=(const BlockingPool&) = delete;

  // False, and the function is not kept, when `limit` functions wait for a thread already, and after stop().
  [[nodiscard]] bool run(std::function<void()> function);
  // Drops what waits for a thread and waits for what runs. Idempotent.
  void stop();

 private:
  void work();

  Runtime& runtime_;
  const std::size_t most_;
  const std::size_t limit_;
  Mutex mutex_;
  Condition changed_;
  std::vector<Thread> threads_ PINTLE_GUARDED_BY(mutex_);
  std::deque<std::function<void()>> waiting_ PINTLE_GUARDED_BY(mutex_);
  std::size_t idle_ PINTLE_GUARDED_BY(mutex_) = 0;  // threads
  bool stopped_ PINTLE_GUARDED_BY(mutex_) = false;
};

// What a peer is told whose answer found no place in a pool.
[[nodiscard]] Response too_busy();

}  // namespace pintle::http
