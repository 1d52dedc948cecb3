// SPDX-License-Identifier: Apache-2.0
// Random: a small pseudo-random number generator. The same seed gives the same numbers on every machine.
#pragma once

#include <cstdint>

namespace pintle {

/// The SplitMix64 algorithm. Not suitable for secrets. A plain value; not thread-safe.
class Random {
 public:
  explicit constexpr Random(std::uint64_t seed) noexcept : state_(seed) {}

  constexpr std::uint64_t next() noexcept {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31U);
  }
  /// Returns a number in [0, bound), or 0 if `bound` is 0.
  constexpr std::uint64_t below(std::uint64_t bound) noexcept { return bound == 0 ? 0 : next() % bound; }
  /// Returns a number in [0, 1).
  constexpr double unit() noexcept { return to_unit(next()); }

  /// Converts 64 random bits to a number in [0, 1).
  static constexpr double to_unit(std::uint64_t bits) noexcept {
    return static_cast<double>(bits >> 11U) * (1.0 / 9007199254740992.0);
  }

 private:
  std::uint64_t state_;
};

}  // namespace pintle
