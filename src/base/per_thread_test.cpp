// SPDX-License-Identifier: Apache-2.0
#include <pintle/base/per_thread.hpp>

#include <optional>

#include <gtest/gtest.h>

#include <pintle/sim/simulated_executor.hpp>

namespace pintle {
namespace {

TEST(PerThread, BindingAffectsOnlyItsThread) {
  SimulatedExecutor executor;
  PerThread<int> bound(executor);
  int ours = 1;
  const PerThread<int>::Binding binding(bound, ours);
  int* seen = &ours;
  int* own = nullptr;

  executor
      .spawn({.name = "other"},
             [&] {
               seen = bound.get();
               int theirs = 2;
               const PerThread<int>::Binding inner(bound, theirs);
               own = bound.get() == &theirs ? &theirs : nullptr;
             })
      .join();

  EXPECT_EQ(seen, nullptr);
  EXPECT_NE(own, nullptr);
  EXPECT_EQ(bound.get(), &ours);
}

TEST(PerThread, RestoresTheOuterBinding) {
  SimulatedExecutor executor;
  PerThread<int> bound(executor);
  int outer = 1;
  int inner = 2;
  EXPECT_EQ(bound.get(), nullptr);
  {
    const PerThread<int>::Binding first(bound, outer);
    {
      const PerThread<int>::Binding second(bound, inner);
      EXPECT_EQ(bound.get(), &inner);
    }
    EXPECT_EQ(bound.get(), &outer);
  }
  EXPECT_EQ(bound.get(), nullptr);
}

}  // namespace
}  // namespace pintle
