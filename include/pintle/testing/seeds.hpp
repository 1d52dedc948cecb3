// SPDX-License-Identifier: Apache-2.0
// Seeds: the seeds with which a randomised test runs.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <vector>

namespace pintle::testkit {

// Threads are expensive under sanitizers.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool is_sanitized = true;
#elif defined(__has_feature)
inline constexpr bool is_sanitized = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
inline constexpr bool is_sanitized = false;
#endif

struct SeedOptions {
  std::uint64_t usual = 100;
  std::uint64_t sanitized = 10;
  std::uint64_t long_run = 1'000;  ///< if the environment variable PINTLE_LONG is set
};

/// Returns consecutive seeds from `first` on. Their number is the member of `counts` for this build and environment. If
/// the environment variable PINTLE_SEED is set, returns only that seed, to repeat a run.
[[nodiscard]] inline std::vector<std::uint64_t> seeds(const SeedOptions& counts, std::uint64_t first = 1) {
  if (const char* one = std::getenv("PINTLE_SEED")) return {std::strtoull(one, nullptr, 10)};
  const bool is_long = std::getenv("PINTLE_LONG") != nullptr;
  const std::uint64_t count = is_long ? counts.long_run : is_sanitized ? counts.sanitized : counts.usual;
  std::vector<std::uint64_t> all;
  for (std::uint64_t seed = first; seed < first + count; ++seed) all.push_back(seed);
  return all;
}

}  // namespace pintle::testkit
