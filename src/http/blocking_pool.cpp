#include "blocking_pool.hpp"

#include <utility>

namespace pintle::http {

bool BlockingPool::run(std::function<void()> function) {
  std::size_t threads = 0;
  {
    const MutexLock lock(mutex_);
    if (stopped_ || waiting_.size() >= limit_) return false;
    waiting_.push_back(std::move(function));
    threads = threads_.size();
    changed_.notify_one();
    if (idle_ >= waiting_.size() || threads == most_) return true;
  }
  Thread more = runtime_.spawn({.name = "answers-" + std::to_string(threads)}, [this] { work(); });
  const MutexLock lock(mutex_);
  if (!stopped_) threads_.push_back(std::move(more));
  return true;
}

void BlockingPool::stop() {
  std::deque<std::function<void()>> dropped;
  std::vector<Thread> ending;
  {
    const MutexLock lock(mutex_);
    stopped_ = true;
    dropped.swap(waiting_);
    ending.swap(threads_);
    changed_.notify_all();
  }
  for (Thread& thread : ending) thread.join();
}

void BlockingPool::work() {
  while (true) {
    std::function<void()> function;
    {
      const MutexLock lock(mutex_);
      ++idle_;
      while (waiting_.empty() && !stopped_) changed_.wait(mutex_);
      --idle_;
      if (stopped_) return;
      function = std::move(waiting_.front());
      waiting_.pop_front();
    }
    function();
  }
}

Response too_busy() {
  return {.status = 503,
          .headers = {{"Content-Type", "text/plain; charset=utf-8"}, {"Retry-After", "1"}},
          .body = "too many requests wait for their answers\n"};
}

}  // namespace pintle::http
