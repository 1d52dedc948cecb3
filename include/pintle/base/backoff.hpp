// Backoff: how long to wait before the n-th retry, as a pure function.
#pragma once

#include <pintle/base/time.hpp>

namespace pintle {

// delay(n) = min(base · factor^n, cap), then up to `jitter` times itself more. A plain value; thread-safe to read.
struct Backoff {
  Duration base = std::chrono::milliseconds(5);
  double factor = 2;
  Duration cap = std::chrono::seconds(1000);
  double jitter = 0;

  // `attempt` counts from 0; any value is safe (no overflow). `unit` is a random number in [0, 1), used for the jitter.
  [[nodiscard]] Duration delay(unsigned attempt, double unit = 0) const noexcept;
};

// A key that fails in a controller: 5 ms doubling to 1000 s (client-go's per-item limiter).
inline constexpr Backoff controller_backoff{};

// A list or watch that fails: 800 ms doubling to 30 s, up to twice that by jitter (client-go's reflector).
inline constexpr Backoff reflector_backoff{
    .base = std::chrono::milliseconds(800), .factor = 2, .cap = std::chrono::seconds(30), .jitter = 1};

}  // namespace pintle
