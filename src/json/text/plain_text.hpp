// SPDX-License-Identifier: Apache-2.0
// Plain text: the ASCII characters that a JSON string contains without an escape.
#pragma once

#include <bit>
#include <cstddef>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace pintle::json {

// Returns the position of the first byte that is not plain: a quote, a backslash, a control character or a non-ASCII
// byte; `end` if there is none.
[[nodiscard]] inline const char* plain_until(const char* at, const char* end) noexcept {
#ifdef __SSE2__
  constexpr std::ptrdiff_t step = sizeof(__m128i);
  for (; end - at >= step; at += step) {
    const __m128i bytes = _mm_loadu_si128(static_cast<const __m128i*>(static_cast<const void*>(at)));
    // The comparison is signed, so non-ASCII bytes are less than a space, too.
    const __m128i special = _mm_or_si128(
        _mm_cmplt_epi8(bytes, _mm_set1_epi8(' ')),
        _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('"')), _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'))));
    const auto found = static_cast<unsigned>(_mm_movemask_epi8(special));
    if (found != 0) return at + std::countr_zero(found);
  }
#endif
  while (at != end && static_cast<signed char>(*at) >= ' ' && *at != '"' && *at != '\\') ++at;
  return at;
}

}  // namespace pintle::json
