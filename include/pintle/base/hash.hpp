// Hashes of texts and numbers, 64 bits, without a call; the same in every run. Not for what an enemy may choose, unless
// the seed is secret.
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

[[nodiscard]] inline std::uint64_t hash_of(std::string_view text, std::uint64_t seed) noexcept {
  constexpr std::size_t step = sizeof(std::uint64_t);
  constexpr std::size_t half = sizeof(std::uint32_t);
  const auto part = []<class Part>(const char* at, Part read) {
    std::memcpy(&read, at, sizeof read);
    return std::uint64_t{read};
  };
  const char* at = text.data();
  const std::size_t size = text.size();
  std::uint64_t hash = stir(seed, size);
  // The last part may overlap the one before: the size is in the hash, so nothing is lost.
  if (size >= step) {
    for (const char* const last = at + size - step; at < last; at += step) hash = stir(hash, part(at, std::uint64_t{}));
    return stir(hash, part(text.data() + size - step, std::uint64_t{}));
  }
  if (size >= half) {
    return stir(hash, part(at, std::uint32_t{}) << 32U | part(at + size - half, std::uint32_t{}));
  }
  if (size == 0) return hash;
  return stir(hash, part(at, std::uint8_t{}) << 16U | part(at + size / 2, std::uint8_t{}) << 8U |
                        part(at + size - 1, std::uint8_t{}));
}

}  // namespace pintle
