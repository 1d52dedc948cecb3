// MicroTime: a time of day to the microsecond, as leases and events have it.
#pragma once

#include <compare>
#include <string>

#include <pintle/base/time.hpp>
#include <pintle/json/fwd.hpp>

namespace pintle {

// A WallTime that JSON carries with six digits, "2026-01-02T03:04:05.000006Z", which is all that servers take for it;
// what is finer is cut off there. A plain value.
struct MicroTime {
  MicroTime() = default;
  MicroTime(WallTime when) : time(when) {}             // NOLINT(google-explicit-constructor)
  operator WallTime() const noexcept { return time; }  // NOLINT(google-explicit-constructor)

  // Error: invalid for what is no RFC 3339 text.
  [[nodiscard]] static Result<MicroTime> from_json(json::View value);
  [[nodiscard]] json::Value to_json() const;
  [[nodiscard]] static json::object json_schema();

  friend auto operator<=>(const MicroTime&, const MicroTime&) = default;

  WallTime time{};
};

}  // namespace pintle
