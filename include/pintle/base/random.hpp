// Random: a small seeded generator. The same seed gives the same numbers on every machine.
#pragma once

#include <cstdint>

namespace pintle {

// SplitMix64. Not for secrets. Thread-safety: a plain value.
class Random {
 public:
  explicit constexpr Random(std::uint64_t seed) noexcept : state_(seed) {}

  constexpr std::uint64_t next() noexcept {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31U);
  }
  // A number in [0, bound); 0 when bound is 0.
  constexpr std::uint64_t below(std::uint64_t bound) noexcept { return bound == 0 ? 0 : next() % bound; }
  // A number in [0, 1).
  constexpr double unit() noexcept { return to_unit(next()); }

  // 64 random bits as a number in [0, 1).
  static constexpr double to_unit(std::uint64_t bits) noexcept {
    return static_cast<double>(bits >> 11U) * (1.0 / 9007199254740992.0);
  }

 private:
  std::uint64_t state_;
};

}  // namespace pintle
