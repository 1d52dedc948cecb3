// SPDX-License-Identifier: Apache-2.0
#include "churn.hpp"

#include <string>
#include <utility>
#include <vector>

#include <pintle/base/executor.hpp>
#include <pintle/base/mutex.hpp>
#include <pintle/base/result.hpp>
#include <pintle/json/document.hpp>
#include <pintle/json/pool.hpp>

#include "../process.hpp"

namespace pintle::benchmarks {
namespace {

constexpr std::size_t objects_kept = 10'000;
constexpr std::size_t batch = 1'000;  // documents that another thread releases at once

// Releases documents on its own thread, as workers release what the I/O thread has created.
class Releaser {
 public:
  explicit Releaser(Executor& executor)
      : mutex_(executor), changed_(executor), thread_(executor.spawn({.name = "releaser"}, [this] { run(); })) {}
  ~Releaser() {
    {
      const MutexLock lock(mutex_);
      ends_ = true;
      changed_.notify_all();
    }
    thread_.join();
  }
  Releaser(const Releaser&) = delete;
  Releaser& operator=(const Releaser&) = delete;

  // Waits until the releaser has begun with the previous batch.
  void take(std::vector<json::Document> documents) {
    const MutexLock lock(mutex_);
    while (!waiting_.empty()) changed_.wait(mutex_);
    waiting_ = std::move(documents);
    changed_.notify_all();
  }

 private:
  void run() {
    while (true) {
      std::vector<json::Document> documents;
      const MutexLock lock(mutex_);
      while (waiting_.empty() && !ends_) changed_.wait(mutex_);
      if (waiting_.empty()) return;
      documents.swap(waiting_);
      changed_.notify_all();
    }
  }

  Mutex mutex_;
  CondVar changed_;
  std::vector<json::Document> waiting_ PINTLE_GUARDED_BY(mutex_);
  bool ends_ PINTLE_GUARDED_BY(mutex_) = false;
  Thread thread_;
};

// Three consecutive objects share a value, and no other object ever has it.
std::string text_of(std::uint64_t n) {
  const std::string value = "a value of its own, " + std::to_string(n / 3);
  return R"({"metadata":{"name":"object-)" + std::to_string(n % objects_kept) + R"(","uid":")" + std::to_string(n) +
         R"(","labels":{"value":")" + value + R"("}},"spec":{"parts":[{"value":")" + value + R"(","size":3}]}})";
}

}  // namespace

void churn(benchmark::State& state, std::uint64_t replacements) {
  const auto executor = make_real_executor(1);
  json::Pool pool(*executor);
  std::vector<json::Document> objects(objects_kept);
  double early = 0;
  for (auto _ : state) {
    Releaser releaser(*executor);
    std::vector<json::Document> gone;
    for (std::uint64_t n = 0; n < replacements; ++n) {
      auto made = json::Document::parse(text_of(n), &pool);
      if (!made) return state.SkipWithError(made.error().message.c_str());
      gone.push_back(std::exchange(objects[n % objects_kept], std::move(*made)));
      if (gone.size() == batch) releaser.take(std::exchange(gone, {}));
      if (n == replacements / 10) early = resident_mb();
    }
  }
  state.counters["early_mb"] = early;
  state.counters["late_mb"] = resident_mb();
  state.counters["shared_kb"] = static_cast<double>(pool.stats().bytes) / 1000;
  state.SetItemsProcessed(static_cast<std::int64_t>(replacements));
}

}  // namespace pintle::benchmarks
