// SPDX-License-Identifier: Apache-2.0
// 64-bit hashes of strings and numbers. All functions are inline. The hashes are the same in every run. Not
// collision-resistant if the seed is known.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace pintle {

/// Multiplies to 128 bits and folds the product: every bit of the result depends on every bit of `a` and `b`.
[[nodiscard]] constexpr std::uint64_t mix(std::uint64_t a, std::uint64_t b) noexcept {
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(a ^ 0x9e3779b97f4a7c15U) * (b ^ 0xd1b54a32d192ed03U);
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64U);
}

/// Returns the bytes at an address as a number. The address needs no alignment.
template <class Number>
[[nodiscard]] inline std::uint64_t load_unaligned(const char* at) noexcept {
  Number number = 0;
  std::memcpy(&number, at, sizeof number);
  return number;
}

[[nodiscard]] inline std::uint64_t hash_of(std::string_view text, std::uint64_t seed) noexcept {
  constexpr std::size_t step = sizeof(std::uint64_t);
  constexpr std::size_t half = sizeof(std::uint32_t);
  const char* at = text.data();
  const std::size_t size = text.size();
  std::uint64_t hash = mix(seed, size);
  // The last part may overlap the previous one. No information is lost, because the hash includes the size.
  if (size >= step) {
    const char* const last = at + size - step;
    for (; at < last; at += step) hash = mix(hash, load_unaligned<std::uint64_t>(at));
    return mix(hash, load_unaligned<std::uint64_t>(last));
  }
  if (size >= half)
    return mix(hash, load_unaligned<std::uint32_t>(at) << 32U | load_unaligned<std::uint32_t>(at + size - half));
  if (size == 0) return hash;
  return mix(hash, load_unaligned<std::uint8_t>(at) << 16U | load_unaligned<std::uint8_t>(at + size / 2) << 8U |
                       load_unaligned<std::uint8_t>(at + size - 1));
}

}  // namespace pintle
