// SPDX-License-Identifier: Apache-2.0
// Simulated threads that are fibers. In a build with a sanitizer they are threads, and the same tests must pass.
#include "fiber.hpp"

#include <chrono>
#include <exception>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <pintle/base/mutex.hpp>
#include <pintle/base/per_thread.hpp>
#include <pintle/sim/simulated_executor.hpp>

#include "base/thread_body.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;

struct Trace {
  std::string text{};
  std::uint64_t hash = 0;

  bool operator==(const Trace&) const = default;
};

// Three threads that lock, sleep, wait for each other and start a fourth.
Trace trace_of(SimulatedExecutorOptions options) {
  SimulatedExecutor executor(std::move(options));
  Mutex mutex(executor);
  CondVar grown(executor);
  Trace trace;
  const auto append = [&](char c, int times) {
    for (int i = 0; i < times; ++i) {
      {
        const MutexLock lock(mutex);
        trace.text += c;
      }
      grown.notify_all();
      if (i % 3 == 0) executor.sleep_for(10ms * (c - 'a'));
    }
  };
  Thread a = executor.spawn({.name = "a"}, [&] { append('a', 9); });
  Thread b = executor.spawn({.name = "b"}, [&] {
    Thread c = executor.spawn({.name = "c"}, [&] { append('c', 5); });
    append('b', 9);
  });
  {
    const MutexLock lock(mutex);
    while (trace.text.size() < 23) (void)grown.wait_until(mutex, executor.now() + 1h);
  }
  a.join();
  b.join();
  trace.hash = executor.trace_hash();
  return trace;
}

TEST(Fibers, RunAsThreadsDo) {
  using enum Scheduling::Strategy;
  const auto stacks = FiberStacks::make();
  for (const auto strategy : {random, priorities, choices}) {
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
      const SimulatedExecutorOptions options{.seed = seed, .scheduling = {.strategy = strategy, .horizon = 50}};
      SimulatedExecutorOptions with_fibers = options;
      with_fibers.stacks = stacks;
      EXPECT_EQ(trace_of(with_fibers), trace_of(options)) << seed;
    }
  }
}

TEST(Fibers, UseTheThreadOfTheExecutorAndTheSameStacksAgain) {
  const auto stacks = FiberStacks::make();
  if (stacks == nullptr) GTEST_SKIP() << "the sanitizer cannot follow fibers";
  for (int round = 0; round < 3; ++round) {
    SimulatedExecutor executor({.stacks = stacks});
    EXPECT_EQ(stacks->unused(), round == 0 ? 0U : 2U);
    std::vector<Thread> threads;
    for (int i = 0; i < 2; ++i) {
      threads.push_back(executor.spawn({.name = "one"}, [&executor, driver = std::this_thread::get_id()] {
        EXPECT_EQ(std::this_thread::get_id(), driver);
        executor.sleep_for(1s);
      }));
    }
    EXPECT_EQ(stacks->unused(), 0U);
    threads.clear();
    executor.spawn({.name = "another"}, [] {}).join();
  }
  EXPECT_EQ(stacks->unused(), 2U);
}

TEST(Fibers, HaveTheirOwnExceptions) {
  SimulatedExecutor executor({.stacks = FiberStacks::make()});
  std::string seen;
  const auto throw_and_wait = [&](const std::string& what) {
    try {
      throw std::runtime_error(what);
    } catch (const std::exception&) {
      executor.sleep_for(what == "long" ? 2s : 1s);  // the other thread runs, and ends its handler
      try {
        throw;
      } catch (const std::exception& error) {
        seen += std::string(error.what()) + " ";
      }
    }
    EXPECT_EQ(std::current_exception(), nullptr);
  };
  Thread one = executor.spawn({.name = "one"}, [&] { throw_and_wait("long"); });
  Thread two = executor.spawn({.name = "two"}, [&] { throw_and_wait("short"); });
  one.join();
  two.join();
  EXPECT_EQ(seen, "short long ");
}

TEST(Fibers, HaveTheirOwnValues) {
  SimulatedExecutor executor({.stacks = FiberStacks::make()});
  PerThread<int> bound(executor);
  int of_driver = 0;
  const PerThread<int>::Binding binding(bound, of_driver);
  thread_values().manager_host = &of_driver;
  int wrong = 0;
  std::vector<Thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.push_back(executor.spawn({.name = "one"}, [&] {
      if (bound.get() != nullptr || thread_values().manager_host != nullptr) ++wrong;
      int own = 0;
      const PerThread<int>::Binding inner(bound, own);
      thread_values().manager_host = &own;
      executor.sleep_for(1s);
      if (bound.get() != &own || thread_values().manager_host != &own) ++wrong;
      thread_values().manager_host = nullptr;
    }));
  }
  threads.clear();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(bound.get(), &of_driver);
  EXPECT_EQ(std::exchange(thread_values().manager_host, nullptr), &of_driver);
}

TEST(Fibers, EndWithTheirExecutor) {
  const auto stacks = FiberStacks::make();
  for (int round = 0; round < 200; ++round) {
    SimulatedExecutor executor({.seed = static_cast<std::uint64_t>(round) + 1, .stacks = stacks});
    std::vector<Thread> threads;
    int sum = 0;
    for (int i = 0; i < 20; ++i) threads.push_back(executor.spawn({.name = "adds"}, [&] { ++sum; }));
    threads.clear();
    EXPECT_EQ(sum, 20);
  }
}

}  // namespace
}  // namespace pintle
