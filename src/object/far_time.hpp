// SPDX-License-Identifier: Apache-2.0
// FarTime: a time of the years 1 to 9999, which a WallTime cannot represent.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <pintle/base/result.hpp>

namespace pintle {

// A plain value.
struct FarTime {
  std::int64_t seconds = 0;  // since 1970; negative before
  std::int64_t nanos = 0;    // 0 to 999,999,999

  [[nodiscard]] std::string print(bool micro) const;
  // True for the zero value of a time in Go, which JSON contains as null.
  [[nodiscard]] bool is_zero() const noexcept { return seconds == -62'135'596'800 && nanos == 0; }

  // Parses RFC 3339. Error: invalid.
  [[nodiscard]] static Result<FarTime> parse(std::string_view text);
};

}  // namespace pintle
