// SPDX-License-Identifier: Apache-2.0
// CronSchedule: the times of a CronJob: five fields in a time zone, or "@every" and a constant delay.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include <pintle/base/result.hpp>
#include <pintle/base/schedule.hpp>
#include <pintle/base/time.hpp>

namespace pintle::apiserver {

// A plain value.
class CronSchedule {
 public:
  // A constant delay counts from `start`; its times are on whole seconds. Error: invalid, with the message of
  // kube-apiserver for a delay.
  [[nodiscard]] static Result<CronSchedule> parse(std::string_view text, std::string_view time_zone = {},
                                                  WallTime start = {});

  // The first time after `time`. Not before the first delay has passed.
  [[nodiscard]] WallTime next(WallTime time) const;
  // The last time after `after` and not after `until`; nothing if there is none.
  [[nodiscard]] std::optional<WallTime> last(WallTime after, WallTime until) const;

 private:
  std::optional<Schedule> fields_{};  // none: a constant delay
  std::chrono::seconds delay_{1};
  std::chrono::sys_seconds start_{};
};

// Returns the error in the time zone of a CronJob as kube-apiserver words it; empty if there is none.
[[nodiscard]] std::string time_zone_error(std::string_view name);

}  // namespace pintle::apiserver
