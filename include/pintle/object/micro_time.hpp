// SPDX-License-Identifier: Apache-2.0
// MicroTime: a calendar time with microseconds, as in Leases and Events.
#pragma once

#include <compare>
#include <string>

#include <pintle/base/annotations.hpp>
#include <pintle/base/time.hpp>
#include <pintle/json/fwd.hpp>

namespace pintle {

/// A WallTime that has six fractional digits in JSON: "2026-01-02T03:04:05.000006Z". Servers accept no other format for
/// it. Smaller fractions are cut off in JSON. A plain value.
struct PINTLE_EXPORT MicroTime {
  MicroTime() = default;
  MicroTime(WallTime when) : time(when) {}             // NOLINT(google-explicit-constructor)
  operator WallTime() const noexcept { return time; }  // NOLINT(google-explicit-constructor)

  /// Error: invalid, if the value is not a string that parse_time() accepts.
  [[nodiscard]] static Result<MicroTime> from_json(json::View value);
  [[nodiscard]] json::Value to_json() const;
  [[nodiscard]] static json::object json_schema();

  friend auto operator<=>(const MicroTime&, const MicroTime&) = default;

  WallTime time{};
};

}  // namespace pintle
