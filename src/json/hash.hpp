// Hashes of texts and of words, 64 bits; the same in every run. A pool stirs its seed in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include "word.hpp"

namespace pintle::json {

// Multiplies to 128 bits and folds: every bit of the answer depends on every bit of both.
[[nodiscard]] inline std::uint64_t stir(std::uint64_t a, std::uint64_t b) noexcept {
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(a ^ 0x9e3779b97f4a7c15U) * (b ^ 0xd1b54a32d192ed03U);
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64U);
}

[[nodiscard]] inline std::uint64_t hash_of(std::string_view text, std::uint64_t seed) noexcept {
  std::uint64_t hash = stir(seed, text.size());
  const char* at = text.data();
  std::size_t left = text.size();
  for (; left > sizeof(std::uint64_t); at += sizeof(std::uint64_t), left -= sizeof(std::uint64_t)) {
    std::uint64_t part = 0;
    std::memcpy(&part, at, sizeof part);
    hash = stir(hash, part);
  }
  std::uint64_t rest = 0;
  if (left != 0) std::memcpy(&rest, at, left);
  return stir(hash, rest);
}

[[nodiscard]] inline std::uint64_t hash_of(std::span<const Word> words, std::uint64_t seed) noexcept {
  std::uint64_t hash = seed;
  for (const Word word : words) hash = stir(hash, word);
  return hash;
}

// For texts that are short and mostly equal: no call.
[[nodiscard]] inline bool same_text(std::string_view a, std::string_view b) noexcept {
  constexpr std::size_t step = sizeof(std::uint64_t);
  const auto part = [](const char* at) {
    std::uint64_t eight = 0;
    std::memcpy(&eight, at, step);
    return eight;
  };
  if (a.size() != b.size()) return false;
  if (a.size() < step || a.size() > 8 * step) return a == b;
  for (std::size_t at = 0; at + step < a.size(); at += step) {
    if (part(a.data() + at) != part(b.data() + at)) return false;
  }
  return part(a.data() + a.size() - step) == part(b.data() + b.size() - step);
}

// As the tables of a pool keep it.
[[nodiscard]] constexpr std::uint32_t short_hash(std::uint64_t hash) noexcept {
  return static_cast<std::uint32_t>(hash >> 32U);
}

}  // namespace pintle::json
