// SPDX-License-Identifier: Apache-2.0
#include <pintle/base/backoff.hpp>

#include <gtest/gtest.h>

namespace pintle {
namespace {

using namespace std::chrono_literals;

// The delay is 5 ms · 2^n, at most 1000 s, and does not overflow (trap 39).
TEST(Backoff, ControllerDoublesFromFiveMillisecondsToAThousandSeconds) {
  EXPECT_EQ(controller_backoff.delay(0), 5ms);
  EXPECT_EQ(controller_backoff.delay(1), 10ms);
  EXPECT_EQ(controller_backoff.delay(10), 5120ms);
  EXPECT_EQ(controller_backoff.delay(17), 655'360ms);
  EXPECT_EQ(controller_backoff.delay(18), 1000s);
  EXPECT_EQ(controller_backoff.delay(64), 1000s);
  EXPECT_EQ(controller_backoff.delay(4'000'000'000U), 1000s);
}

// The delay doubles from 800 ms up to 30 s, and jitter at most doubles it (trap 1).
TEST(Backoff, ReflectorJitterAddsUpToOnceTheDelay) {
  EXPECT_EQ(reflector_backoff.delay(0, 0), 800ms);
  EXPECT_EQ(reflector_backoff.delay(0, 0.5), 1200ms);
  EXPECT_EQ(reflector_backoff.delay(20, 0), 30s);
  EXPECT_LT(reflector_backoff.delay(20, 0.999), 60s);
}

TEST(Backoff, StaysInRangeForAnyPolicy) {
  const Backoff extreme{.base = Duration::max(), .factor = 1e300, .cap = Duration::max(), .jitter = 1e300};
  for (const unsigned attempt : {0U, 1U, 1000U}) EXPECT_GE(extreme.delay(attempt, 0.9), Duration::zero());
}

}  // namespace
}  // namespace pintle
