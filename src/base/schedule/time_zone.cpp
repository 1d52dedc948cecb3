// SPDX-License-Identifier: Apache-2.0
#include "time_zone.hpp"

#include <algorithm>
#include <exception>
#include <string>
#include <vector>

#include <date/tz.h>

#include <pintle/base/nearest_name.hpp>

namespace pintle {
namespace {

Error wrong(std::string_view name, const std::string& what) {
  return make_error(ErrorCode::invalid, "time zone \"" + std::string(name) + "\" " + what);
}

std::string near_names(std::string_view name, const date::tzdb& zones) {
  std::vector<std::string> known;
  for (const auto& zone : zones.zones) known.push_back(zone.name());
  const std::string near = did_you_mean(name, known);
  return near.empty() ? "; use a name such as Europe/Berlin" : near;
}

}  // namespace

Result<std::shared_ptr<const TimeZone>> TimeZone::find(std::string_view name) {
  return find(name, [&]() -> const date::tzdb& { return date::get_tzdb(); });
}

// The library throws if the system has no data, and for an unknown name.
Result<std::shared_ptr<const TimeZone>> TimeZone::find(std::string_view name, const Data& data) {
  if (name == "UTC" || name == "Etc/UTC") return nullptr;
  const date::tzdb* zones = nullptr;
  try {
    zones = &data();
    if (zones->zones.empty()) zones = nullptr;
  } catch (const std::exception&) {
    zones = nullptr;
  }
  if (zones == nullptr) {
    return fail(wrong(name,
                      "is not available, because this machine has no time zone data; install the package tzdata, "
                      "or mount /usr/share/zoneinfo"));
  }
  try {
    const date::time_zone& zone = *date::locate_zone(name);
    static_cast<void>(zone.get_info(date::sys_seconds{}));  // reads the data now, not at the first reconcile
    return std::make_shared<const TimeZone>(zone);
  } catch (const std::exception&) {
    return fail(wrong(name, "is unknown" + near_names(name, *zones)));
  }
}

TimeZone::Interval TimeZone::interval_at(WallTime time) const {
  const date::sys_info info = zone_.get_info(std::chrono::floor<std::chrono::seconds>(time));
  // The last interval of a zone ends beyond the range of WallTime.
  const auto last = std::chrono::floor<std::chrono::seconds>(WallTime::max());
  return {.end = info.end < last ? WallTime(info.end) : WallTime::max(), .offset = info.offset};
}

}  // namespace pintle
