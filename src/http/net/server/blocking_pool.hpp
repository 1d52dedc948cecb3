// SPDX-License-Identifier: Apache-2.0
// BlockingPool: a few threads for functions that create a response and may block.
#pragma once

#include <array>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <pintle/base/executor.hpp>
#include <pintle/base/mutex.hpp>
#include <pintle/http/handler.hpp>

namespace pintle::http {

// A function that may block, and its place in the queue.
struct BlockingTask {
  std::function<void()> run;
  std::function<void()> refuse{};  // called instead of `run` if another task replaces this one in the queue
  std::string flow{};              // tasks of one line start in the order in which they were added
  bool high_priority = false;      // before the other tasks, which still get every fourth turn
};

// Runs tasks on a few threads, which are started when they are first needed. The flows take turns, so a task waits for
// one task of each other flow and for the earlier tasks of its own flow. A flow with a name never uses all threads, so
// one other flow alone cannot delay a new flow. Thread-safe, except that only one thread at a time may call run().
class BlockingPool {
 public:
  // `limit` is the maximum number of waiting tasks, separately for tasks that go first and for the others.
  BlockingPool(Executor& executor, std::size_t threads, std::size_t limit)
      : executor_(executor), max_running_(threads), limit_(limit), mutex_(executor), changed_(executor) {}
  ~BlockingPool() { stop(); }
  BlockingPool(const BlockingPool&) = delete;
  BlockingPool& operator=(const BlockingPool&) = delete;

  // At the limit, the task replaces the last task of the longest flow, whose `refuse` is called, if its own flow stays
  // shorter than that flow. Otherwise, and after stop(), returns false and calls nothing.
  [[nodiscard]] bool run(BlockingTask task);
  // Drops the waiting tasks and waits for the running ones. Idempotent.
  void stop();

 private:
  // The waiting tasks of one rank.
  struct Rank {
    std::map<std::string, std::deque<BlockingTask>> flows;  // no flow is empty
    std::deque<std::string> turns;                          // each flow once; the front is next
    std::size_t size = 0;                                   // number of tasks
  };

  void work();
  void add(Rank& rank, BlockingTask task) PINTLE_REQUIRES(mutex_);
  [[nodiscard]] std::optional<BlockingTask> take_place(Rank& rank, const std::string& flow) PINTLE_REQUIRES(mutex_);
  [[nodiscard]] std::optional<BlockingTask> take() PINTLE_REQUIRES(mutex_);
  [[nodiscard]] std::optional<BlockingTask> take_of(Rank& rank) PINTLE_REQUIRES(mutex_);
  [[nodiscard]] bool may_run(const std::string& flow) const PINTLE_REQUIRES(mutex_);

  Executor& executor_;
  const std::size_t max_running_;
  const std::size_t limit_;
  Mutex mutex_;
  CondVar changed_;
  std::vector<Thread> threads_ PINTLE_GUARDED_BY(mutex_);
  std::array<Rank, 2> ranks_ PINTLE_GUARDED_BY(mutex_);                   // tasks that go first, and the others
  std::map<std::string, std::size_t> running_ PINTLE_GUARDED_BY(mutex_);  // running tasks of each flow with a name
  std::size_t taken_ PINTLE_GUARDED_BY(mutex_) = 0;
  std::size_t idle_ PINTLE_GUARDED_BY(mutex_) = 0;  // idle threads
  bool stopped_ PINTLE_GUARDED_BY(mutex_) = false;
};

// The response to a request for which the pool has no room.
[[nodiscard]] Response too_busy();

}  // namespace pintle::http
