// SPDX-License-Identifier: Apache-2.0
#include "blocking_pool.hpp"

#include <algorithm>
#include <utility>

namespace pintle::http {

bool BlockingPool::run(BlockingTask task) {
  std::optional<BlockingTask> refused;
  std::size_t threads = 0;
  bool needs_thread = false;
  {
    const MutexLock lock(mutex_);
    Rank& rank = ranks_[task.high_priority ? 0 : 1];
    if (stopped_) return false;
    if (rank.size >= limit_) {
      refused = take_place(rank, task.flow);
      if (!refused) return false;
    }
    add(rank, std::move(task));
    threads = threads_.size();
    changed_.notify_one();
    needs_thread = idle_ < ranks_[0].size + ranks_[1].size && threads < max_running_;
  }
  if (refused && refused->refuse) refused->refuse();
  if (!needs_thread) return true;
  Thread more = executor_.spawn({.name = "blocking-" + std::to_string(threads)}, [this] { work(); });
  const MutexLock lock(mutex_);
  if (!stopped_) threads_.push_back(std::move(more));
  return true;
}

void BlockingPool::stop() {
  std::array<Rank, 2> dropped;
  std::vector<Thread> ending;
  {
    const MutexLock lock(mutex_);
    stopped_ = true;
    dropped.swap(ranks_);
    ending.swap(threads_);
    changed_.notify_all();
  }
  for (Thread& thread : ending) thread.join();
}

void BlockingPool::work() {
  std::string flow;
  while (true) {
    std::optional<BlockingTask> task;
    {
      const MutexLock lock(mutex_);
      if (const auto ended = running_.find(flow); ended != running_.end() && --ended->second == 0) {
        running_.erase(ended);
      }
      ++idle_;
      while (!stopped_ && !(task = take())) changed_.wait(mutex_);
      --idle_;
      if (stopped_) return;
      flow = task->flow;
      if (!flow.empty()) ++running_[flow];
    }
    task->run();
  }
}

void BlockingPool::add(Rank& rank, BlockingTask task) {
  std::deque<BlockingTask>& flow = rank.flows[task.flow];
  if (flow.empty()) rank.turns.push_back(task.flow);
  flow.push_back(std::move(task));
  ++rank.size;
}

// Removes and returns the task that makes room for a task of this flow; nothing if there is none.
std::optional<BlockingTask> BlockingPool::take_place(Rank& rank, const std::string& flow) {
  const auto longest = std::max_element(rank.flows.begin(), rank.flows.end(),
                                        [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
  const auto own = rank.flows.find(flow);
  const std::size_t own_size = own == rank.flows.end() ? 0 : own->second.size();
  if (longest == rank.flows.end() || own_size + 1 >= longest->second.size()) return std::nullopt;
  BlockingTask last = std::move(longest->second.back());
  longest->second.pop_back();
  --rank.size;
  return last;
}

std::optional<BlockingTask> BlockingPool::take() {
  constexpr std::size_t turn_of_others = 4;
  const std::size_t first = (taken_ + 1) % turn_of_others == 0 ? 1 : 0;
  auto task = take_of(ranks_[first]);
  if (!task) task = take_of(ranks_[1 - first]);
  if (task) ++taken_;
  return task;
}

std::optional<BlockingTask> BlockingPool::take_of(Rank& rank) {
  auto turn = rank.turns.begin();
  while (turn != rank.turns.end() && !may_run(*turn)) ++turn;
  if (turn == rank.turns.end()) return std::nullopt;
  const auto flow = rank.flows.find(*turn);
  rank.turns.erase(turn);
  BlockingTask task = std::move(flow->second.front());
  flow->second.pop_front();
  --rank.size;
  if (flow->second.empty()) {
    rank.flows.erase(flow);
  } else {
    rank.turns.push_back(flow->first);
  }
  return task;
}

bool BlockingPool::may_run(const std::string& flow) const {
  const auto running = running_.find(flow);
  return running == running_.end() || running->second + 1 < max_running_ || max_running_ == 1;
}

Response too_busy() {
  return {.status = 503,
          .headers = {{"Content-Type", "text/plain; charset=utf-8"}, {"Retry-After", "1"}},
          .body = "too many requests are waiting for a response\n"};
}

}  // namespace pintle::http
