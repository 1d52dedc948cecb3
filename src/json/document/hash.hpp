// SPDX-License-Identifier: Apache-2.0
// Hash functions for words and strings. Each pool adds its own seed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <pintle/base/hash.hpp>

#include "json/text/word.hpp"

namespace pintle::json {

using pintle::hash_of;

[[nodiscard]] inline std::uint64_t hash_of(std::span<const Word> words, std::uint64_t seed) noexcept {
  std::uint64_t hash = seed;
  for (const Word word : words) hash = mix(hash, word);
  return hash;
}

// A fast comparison, without a function call, for strings that are short and usually equal.
[[nodiscard, gnu::always_inline]] inline bool same_text(std::string_view a, std::string_view b) noexcept {
  constexpr std::size_t step = sizeof(std::uint64_t);
  constexpr std::size_t half = sizeof(std::uint32_t);
  if (a.size() != b.size()) return false;
  if (a.size() > 8 * step) return a == b;
  if (a.size() < half) {
    return a.empty() || (a.front() == b.front() && a[a.size() / 2] == b[a.size() / 2] && a.back() == b.back());
  }
  if (a.size() < step) {
    const std::size_t last = a.size() - half;
    return load_unaligned<std::uint32_t>(a.data()) == load_unaligned<std::uint32_t>(b.data()) &&
           load_unaligned<std::uint32_t>(a.data() + last) == load_unaligned<std::uint32_t>(b.data() + last);
  }
  for (std::size_t at = 0; at + step < a.size(); at += step) {
    if (load_unaligned<std::uint64_t>(a.data() + at) != load_unaligned<std::uint64_t>(b.data() + at)) return false;
  }
  return load_unaligned<std::uint64_t>(a.data() + a.size() - step) ==
         load_unaligned<std::uint64_t>(b.data() + b.size() - step);
}

// The part of a hash that the tables of a pool store.
[[nodiscard]] constexpr std::uint32_t short_hash(std::uint64_t hash) noexcept {
  return static_cast<std::uint32_t>(hash >> 32U);
}

}  // namespace pintle::json
