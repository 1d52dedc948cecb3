// Hashes of words beside those of texts. A pool stirs its seed in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include <pintle/base/hash.hpp>

#include "word.hpp"

namespace pintle::json {

using pintle::hash_of;

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
