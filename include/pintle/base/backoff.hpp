// SPDX-License-Identifier: Apache-2.0
// Backoff: the delay before the n-th retry, as a pure function.
#pragma once

#include <pintle/base/annotations.hpp>
#include <pintle/base/time.hpp>

namespace pintle {

/// The delay before retry n is min(base · factor^n, cap), plus a random part of at most `jitter` times that value. A
/// plain value; concurrent reads are safe.
struct PINTLE_EXPORT Backoff {
  Duration base = std::chrono::milliseconds(5);
  double factor = 2;
  Duration cap = std::chrono::seconds(1000);
  double jitter = 0;

  /// Returns the delay before retry `attempt`, which counts from 0. `unit` is a random number in [0, 1) that determines
  /// the jitter. No value of `attempt` causes an overflow.
  [[nodiscard]] Duration delay(unsigned attempt, double unit = 0) const noexcept;
};

/// Back-off of a failing key in a controller: 5 ms, doubling up to 1000 s, as in the per-item rate limiter of
/// client-go.
inline constexpr Backoff controller_backoff{};

/// Back-off of a failing list or watch: 800 ms, doubling up to 30 s, as in the reflector of client-go. The jitter
/// increases each of these delays by at most 100 %.
inline constexpr Backoff reflector_backoff{
    .base = std::chrono::milliseconds(800), .factor = 2, .cap = std::chrono::seconds(30), .jitter = 1};

}  // namespace pintle
