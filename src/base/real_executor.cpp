// SPDX-License-Identifier: Apache-2.0
#include <pintle/base/executor.hpp>

#include <pthread.h>
#include <sys/random.h>
#include <time.h>

#include <algorithm>
#include <atomic>
#include <random>
#include <thread>
#include <utility>

#include <pintle/base/random.hpp>

#include "thread_body.hpp"

namespace pintle {
namespace {

// The options of the current thread; null on a thread that no executor spawned. They are a property of the thread, so
// they are a thread-local variable and not a member of the executor.
thread_local const ThreadOptions* this_thread = nullptr;

class RealThread final : public Thread::Body {
 public:
  RealThread(ThreadOptions options, std::function<void()> body)
      : options_(std::move(options)), thread_([this, body = std::move(body)] { run(body); }) {}
  ~RealThread() override { join(); }
  void join() override {
    if (thread_.joinable()) thread_.join();
  }

 private:
  void run(const std::function<void()>& body) {
    this_thread = &options_;
    constexpr std::size_t max_name_length = 15;  // limit of the kernel
    pthread_setname_np(pthread_self(), options_.name.substr(0, max_name_length).c_str());
    body();
    this_thread = nullptr;
  }

  ThreadOptions options_;
  std::thread thread_;
};

class RealExecutor final : public Executor {
 public:
  explicit RealExecutor(std::uint64_t seed) : counter_(seed) {}

  Instant now() const noexcept override {
    timespec time{};
    clock_gettime(CLOCK_BOOTTIME, &time);
    return Instant(std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec));
  }
  WallTime wall_now() const noexcept override { return std::chrono::system_clock::now(); }
  Thread spawn(ThreadOptions options, std::function<void()> body) override {
    return Thread(std::make_unique<RealThread>(std::move(options), std::move(body)));
  }
  std::uint64_t secure_random() override {
    std::uint64_t bits = 0;
    // A call for so few bytes is never cut short; it can fail only while the machine starts.
    while (::getrandom(&bits, sizeof bits, 0) != static_cast<ssize_t>(sizeof bits)) {}
    return bits;
  }
  std::uint64_t random() override {
    // SplitMix64 is a function of a counter, so one atomic addition is enough for a draw.
    constexpr std::uint64_t step = 0x9e3779b97f4a7c15ULL;
    return Random(counter_.fetch_add(step, std::memory_order_relaxed)).next();
  }
  void yield() override {}
  std::string_view thread_name() const noexcept override {
    return this_thread != nullptr ? std::string_view(this_thread->name) : std::string_view("main");
  }
  bool may_block() const noexcept override { return this_thread == nullptr || this_thread->may_block; }
  Scheduler* scheduler() noexcept override { return nullptr; }

 private:
  std::atomic<std::uint64_t> counter_;
};

}  // namespace

std::unique_ptr<Executor> make_real_executor(std::uint64_t seed) {
  if (seed == 0) {
    std::random_device device;
    seed = (static_cast<std::uint64_t>(device()) << 32U) | device();
  }
  return std::make_unique<RealExecutor>(seed);
}

}  // namespace pintle
