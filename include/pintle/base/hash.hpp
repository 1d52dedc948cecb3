// Hashes of texts and numbers, 64 bits, without a call; the same in every run. Who knows the seed can make texts that
// collide.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace pintle {

// Multiplies to 128 bits and folds: every bit of the answer depends on every bit of both.
[[nodiscard]] constexpr std::uint64_t stir(std::uint64_t a, std::uint64_t b) noexcept {
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(a ^ 0x9e3779b97f4a7c15U) * (b ^ 0xd1b54a32d192ed03U);
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64U);
}

// The bytes at a place as a number.
template <class Number>
[[nodiscard]] inline std::uint64_t bytes_as(const char* at) noexcept {
  Number number = 0;
  std::memcpy(&number, at, sizeof number);
  return number;
}

[[nodiscard]] inline std::uint64_t hash_of(std::string_view text, std::uint64_t seed) noexcept {
  constexpr std::size_t step = sizeof(std::uint64_t);
  constexpr std::size_t half = sizeof(std::uint32_t);
  const char* at = text.data();
  const std::size_t size = text.size();
  std::uint64_t hash = stir(seed, size);
  // The last part may overlap the one before: the size is in the hash, so nothing is lost.
  if (size >= step) {
    const char* const last = at + size - step;
    for (; at < last; at += step) hash = stir(hash, bytes_as<std::uint64_t>(at));
    return stir(hash, bytes_as<std::uint64_t>(last));
  }
  if (size >= half) return stir(hash, bytes_as<std::uint32_t>(at) << 32U | bytes_as<std::uint32_t>(at + size - half));
  if (size == 0) return hash;
  return stir(hash, bytes_as<std::uint8_t>(at) << 16U | bytes_as<std::uint8_t>(at + size / 2) << 8U |
                        bytes_as<std::uint8_t>(at + size - 1));
}

}  // namespace pintle
