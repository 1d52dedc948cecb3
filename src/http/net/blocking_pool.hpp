// BlockingPool: a few threads for answers that have to wait.
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

inline constexpr std::size_t blocking_threads = 2;

// A function that may block, and where it waits for a thread.
struct BlockingTask {
  std::function<void()> run;
  std::function<void()> refuse{};  // called in its place if another task takes its place
  std::string line{};              // tasks of one line run in the order they came
  bool goes_first = false;         // before those that do not; these still get every fourth turn
};

// Runs tasks on a few threads, which it starts when they are first needed. The lines take turns, so a task waits for
// one task of each other line and for those before it in its own. A line that has a name runs on all threads but one at
// most, so a line that is new never waits for one other line alone. Thread-safe, but for run(), which one thread at a
// time calls.
class BlockingPool {
 public:
  // `limit` tasks that go first may wait, and as many that do not.
  BlockingPool(Executor& executor, std::size_t threads, std::size_t limit)
      : executor_(executor), most_(threads), limit_(limit), mutex_(executor), changed_(executor) {}
  ~BlockingPool() { stop(); }
  BlockingPool(const BlockingPool&) = delete;
  BlockingPool& operator=(const BlockingPool&) = delete;

  // At the limit the task takes the place of the last one of the longest line, which is refused, if its own line stays
  // shorter than that one. Otherwise, and after stop(), this returns false and calls nothing.
  [[nodiscard]] bool run(BlockingTask task);
  // Drops what waits for a thread and waits for what runs. Idempotent.
  void stop();

 private:
  // The tasks of one rank that wait.
  struct Rank {
    std::map<std::string, std::deque<BlockingTask>> lines;  // none is empty
    std::deque<std::string> turns;                          // each line once; the next is in front
    std::size_t size = 0;                                   // tasks
  };

  void work();
  void add(Rank& rank, BlockingTask task) PINTLE_REQUIRES(mutex_);
  [[nodiscard]] std::optional<BlockingTask> take_place(Rank& rank, const std::string& line) PINTLE_REQUIRES(mutex_);
  [[nodiscard]] std::optional<BlockingTask> take() PINTLE_REQUIRES(mutex_);
  [[nodiscard]] std::optional<BlockingTask> take_of(Rank& rank) PINTLE_REQUIRES(mutex_);
  [[nodiscard]] bool may_run(const std::string& line) const PINTLE_REQUIRES(mutex_);

  Executor& executor_;
  const std::size_t most_;
  const std::size_t limit_;
  Mutex mutex_;
  Condition changed_;
  std::vector<Thread> threads_ PINTLE_GUARDED_BY(mutex_);
  std::array<Rank, 2> ranks_ PINTLE_GUARDED_BY(mutex_);                   // those that go first, and the others
  std::map<std::string, std::size_t> running_ PINTLE_GUARDED_BY(mutex_);  // tasks by line, of lines with a name
  std::size_t taken_ PINTLE_GUARDED_BY(mutex_) = 0;
  std::size_t idle_ PINTLE_GUARDED_BY(mutex_) = 0;  // threads
  bool stopped_ PINTLE_GUARDED_BY(mutex_) = false;
};

// What a peer is told whose answer found no place in a pool.
[[nodiscard]] Response too_busy();

}  // namespace pintle::http
