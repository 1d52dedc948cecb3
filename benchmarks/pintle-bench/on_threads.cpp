// SPDX-License-Identifier: Apache-2.0
#include "on_threads.hpp"

#include <atomic>
#include <string>
#include <utility>
#include <vector>

#include <pintle/base/mutex.hpp>

namespace pintle::benchmarks {

Result<void> on_threads(Executor& executor, int threads, std::size_t count, const std::stop_token& stop,
                        const std::function<Result<void>(std::size_t)>& work) {
  std::atomic<std::size_t> next = 0;
  Mutex mutex(executor);
  Result<void> first;
  {
    std::vector<Thread> running;
    for (int i = 0; i < threads; ++i) {
      running.push_back(executor.spawn({.name = "bench-" + std::to_string(i)}, [&] {
        for (std::size_t n = next++; n < count && !stop.stop_requested(); n = next++) {
          auto done = work(n);
          if (done) continue;
          const MutexLock lock(mutex);
          if (first) first = std::move(done);
          next = count;
        }
      }));
    }
  }
  return first;
}

}  // namespace pintle::benchmarks
