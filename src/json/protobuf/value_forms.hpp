// SPDX-License-Identifier: Apache-2.0
// The JSON forms of values that protobuf encodes differently: times, base64, and texts that may not be UTF-8.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <pintle/base/hash.hpp>

namespace pintle::json {

// Formats times in UTC: "2023-11-14T22:13:20Z". Keeps the day of the previous time, because the times of an object are
// close to each other.
class TimeFormat {
 public:
  // Returns "" for a time that JSON cannot represent: before the year 0, after the year 9999, or with a fraction that
  // is not below one second. `micro`: with microseconds. Valid until the next call.
  [[nodiscard]] std::string_view format(std::int64_t seconds, std::int64_t nanos, bool micro) noexcept;

 private:
  void put_day(std::int64_t day) noexcept;

  std::int64_t day_ = -1;  // whose date is in text_
  char text_[27] = {};
};

// Appends base64 (RFC 4648, padded).
void append_base64(std::string_view bytes, std::string& out);

[[nodiscard]] inline bool is_ascii(std::string_view text) noexcept {
  constexpr std::uint64_t high_bits = 0x8080808080808080U;
  constexpr std::size_t step = sizeof(std::uint64_t);
  std::uint64_t bits = 0;
  if (text.size() < step) {
    for (const char c : text) bits |= static_cast<unsigned char>(c);
    return (bits & 0x80U) == 0;
  }
  std::size_t at = 0;
  for (; at + step < text.size(); at += step) bits |= load_unaligned<std::uint64_t>(text.data() + at);
  bits |= load_unaligned<std::uint64_t>(text.data() + text.size() - step);
  return (bits & high_bits) == 0;
}

}  // namespace pintle::json
