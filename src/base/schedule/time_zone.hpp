// SPDX-License-Identifier: Apache-2.0
// TimeZone: the offset of local time from UTC, from the time zone data of the system.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string_view>

#include <pintle/base/result.hpp>
#include <pintle/base/time.hpp>

namespace date {
class time_zone;
struct tzdb;
}  // namespace date

namespace pintle {

namespace internal {

// Thread-safe.
class TimeZone {
 public:
  // A time between two changes of the clocks: [begin, end) with begin <= the requested time.
  struct Interval {
    WallTime end{};
    std::chrono::seconds offset{};  // local time - UTC
  };

  explicit TimeZone(const date::time_zone& zone) noexcept : zone_(zone) {}

  // Returns null for UTC, which needs no data. Error: invalid, if the zone is unknown or the system has no data.
  [[nodiscard]] static Result<std::shared_ptr<const TimeZone>> find(std::string_view name);
  // Returns the data, or throws if there is none.
  using Data = std::function<const date::tzdb&()>;
  [[nodiscard]] static Result<std::shared_ptr<const TimeZone>> find(std::string_view name, const Data& data);

  [[nodiscard]] Interval interval_at(WallTime time) const;

 private:
  const date::time_zone& zone_;  // of the library, which keeps it until the process ends
};

}  // namespace internal

using internal::TimeZone;

}  // namespace pintle
