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

// The bytes at a place as a number.
template <class Number>
[[nodiscard]] inline std::uint64_t load(const char* at) noexcept {
  Number number = 0;
  std::memcpy(&number, at, sizeof number);
  return number;
}

// Without a call: nearly all texts are short. The last part of one that is not a multiple of it overlaps the one
// before.
[[nodiscard]] inline std::uint64_t hash_of(std::string_view text, std::uint64_t seed) noexcept {
  constexpr std::size_t step = sizeof(std::uint64_t);
  constexpr std::size_t half = sizeof(std::uint32_t);
  const char* at = text.data();
  const char* const end = at + text.size();
  std::uint64_t hash = stir(seed, text.size());
  if (text.size() >= step) {
    for (; static_cast<std::size_t>(end - at) > step; at += step) hash = stir(hash, load<std::uint64_t>(at));
    return stir(hash, load<std::uint64_t>(end - step));
  }
  if (text.size() >= half) {
    return stir(hash, load<std::uint32_t>(at) | load<std::uint32_t>(end - half) << 32U);
  }
  std::uint64_t rest = 0;
  for (; at != end; ++at) rest = rest << 8U | static_cast<unsigned char>(*at);
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
  constexpr std::size_t half = sizeof(std::uint32_t);
  if (a.size() != b.size()) return false;
  if (a.size() < half || a.size() > 8 * step) return a == b;
  if (a.size() < step) {
    const std::size_t last = a.size() - half;
    return load<std::uint32_t>(a.data()) == load<std::uint32_t>(b.data()) &&
           load<std::uint32_t>(a.data() + last) == load<std::uint32_t>(b.data() + last);
  }
  for (std::size_t at = 0; at + step < a.size(); at += step) {
    if (load<std::uint64_t>(a.data() + at) != load<std::uint64_t>(b.data() + at)) return false;
  }
  return load<std::uint64_t>(a.data() + a.size() - step) == load<std::uint64_t>(b.data() + b.size() - step);
}

// As the tables of a pool keep it.
[[nodiscard]] constexpr std::uint32_t short_hash(std::uint64_t hash) noexcept {
  return static_cast<std::uint32_t>(hash >> 32U);
}

}  // namespace pintle::json
