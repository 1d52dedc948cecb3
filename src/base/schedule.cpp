// SPDX-License-Identifier: Apache-2.0
#include <pintle/base/schedule.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <pintle/base/text.hpp>

#include "time_zone.hpp"

namespace pintle {

namespace {

using std::chrono::days;
using std::chrono::sys_days;
using std::chrono::year_month_day;

struct CronField {
  std::string_view name;
  unsigned first;
  unsigned last;
  std::vector<std::string_view> names;  // names of `first`, `first` + 1, …
};

const CronField minute_field{"minute", 0, 59, {}};
const CronField hour_field{"hour", 0, 23, {}};
const CronField day_field{"day of month", 1, 31, {}};
const CronField month_field{
    "month", 1, 12, {"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"}};
const CronField weekday_field{"day of week", 0, 7, {"sun", "mon", "tue", "wed", "thu", "fri", "sat"}};

// The search for the next time ends after 8 years: February 29 occurs at least once in that time.
constexpr days farthest{366 * 8};

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == separator) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : std::string(text) + " ") {
    if (c != ' ' && c != '\t') {
      word += c;
    } else if (!word.empty()) {
      words.push_back(std::exchange(word, {}));
    }
  }
  return words;
}

std::optional<unsigned> number_in(std::string_view text) {
  unsigned number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return {};
  return number;
}

Error wrong(const CronField& field, std::string_view text, const std::string& why) {
  return make_error(ErrorCode::invalid,
                    std::string(field.name) + " \"" + std::string(text) + "\" of a schedule " + why);
}

Result<unsigned> value_of(const CronField& field, const std::string& text) {
  for (std::size_t i = 0; i < field.names.size(); ++i) {
    if (to_lower_ascii(text) == field.names[i]) return field.first + static_cast<unsigned>(i);
  }
  const auto number = number_in(text);
  if (!number || *number < field.first || *number > field.last) {
    return wrong(field, text,
                 "is not a value from " + std::to_string(field.first) + " to " + std::to_string(field.last));
  }
  return *number;
}

// Adds the values of one range to `values`: "*", "5" or "1-5", each optionally with "/step".
Result<void> take_range(const CronField& field, const std::string& text, std::vector<unsigned>& values) {
  const std::size_t slash = text.find('/');
  const std::string range = text.substr(0, slash);
  unsigned step = 1;
  if (slash != std::string::npos) {
    const auto given = number_in(std::string_view(text).substr(slash + 1));
    if (!given || *given == 0) return fail(wrong(field, text, "has a step that is not a positive number"));
    step = *given;
  }
  unsigned first = field.first;
  unsigned last = field.last;
  if (range != "*") {
    const std::size_t dash = range.find('-');
    const auto from = value_of(field, range.substr(0, dash));
    if (!from) return fail(from.error());
    // A single number with a step, such as "5/15", is a range from that number to the end.
    auto to = dash != std::string::npos ? value_of(field, range.substr(dash + 1))
                                        : Result<unsigned>(slash == std::string::npos ? *from : field.last);
    if (!to) return fail(to.error());
    if (*to < *from) return fail(wrong(field, text, "ends before it begins"));
    first = *from;
    last = *to;
  }
  for (unsigned value = first; value <= last; value += step) values.push_back(value);
  return {};
}

Result<std::vector<unsigned>> values_of(const CronField& field, const std::string& text) {
  std::vector<unsigned> values;
  for (const std::string& range : split(text, ',')) {
    if (auto taken = take_range(field, range, values); !taken) return fail(std::move(taken.error()));
  }
  return values;
}

std::string_view written_out(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 7> nicknames{{{"@yearly", "0 0 1 1 *"},
                                                                                    {"@annually", "0 0 1 1 *"},
                                                                                    {"@monthly", "0 0 1 * *"},
                                                                                    {"@weekly", "0 0 * * 0"},
                                                                                    {"@daily", "0 0 * * *"},
                                                                                    {"@midnight", "0 0 * * *"},
                                                                                    {"@hourly", "0 * * * *"}}};
  for (const auto& [nickname, fields] : nicknames) {
    if (text == nickname) return fields;
  }
  return text;
}

}  // namespace

Result<Schedule> Schedule::parse(std::string_view text, std::string_view time_zone) {
  if (text.starts_with("TZ=") || text.starts_with("CRON_TZ=")) {
    return fail(ErrorCode::invalid,
                "schedule \"" + std::string(text) + "\" begins with a time zone; set .time_zone instead");
  }
  const std::vector<std::string> words = words_of(written_out(text));
  if (words.size() != 5) {
    return fail(ErrorCode::invalid, "schedule \"" + std::string(text) + "\" has " + std::to_string(words.size()) +
                                        " fields instead of 5: minute, hour, day of month, month, day of week");
  }
  Schedule schedule;
  if (!time_zone.empty()) {
    auto zone = TimeZone::find(time_zone);
    if (!zone) return fail(std::move(zone.error()));
    schedule.zone_ = std::move(*zone);
  }
  const auto read = [&](const CronField& field, const std::string& word, auto& bits, unsigned wrap) -> Result<void> {
    const auto values = values_of(field, word);
    if (!values) return fail(values.error());
    for (const unsigned value : *values) bits.set(value % wrap);
    return {};
  };
  for (const auto& done :
       {read(minute_field, words[0], schedule.minutes_, 60), read(hour_field, words[1], schedule.hours_, 24),
        read(day_field, words[2], schedule.days_, 32), read(month_field, words[3], schedule.months_, 13),
        read(weekday_field, words[4], schedule.weekdays_, 7)}) {
    if (!done) return fail(done.error());
  }
  schedule.any_day_ = words[2].starts_with('*');
  schedule.any_weekday_ = words[4].starts_with('*');
  if (schedule.next(WallTime{}) == WallTime::max()) {
    return fail(ErrorCode::invalid,
                "schedule \"" + std::string(text) + "\" has no point in time: none of its months has such a day");
  }
  return schedule;
}

bool Schedule::has_day(year_month_day date) const {
  if (!months_.test(static_cast<unsigned>(date.month()))) return false;
  const bool day = days_.test(static_cast<unsigned>(date.day()));
  const bool weekday = weekdays_.test(std::chrono::weekday(sys_days(date)).c_encoding());
  return any_day_ || any_weekday_ ? day && weekday : day || weekday;
}

// Returns the first local time at or after `from` and before `end`; WallTime::max() if there is none.
WallTime Schedule::next_local(WallTime from, WallTime end) const {
  const auto minute = std::chrono::ceil<std::chrono::minutes>(from);
  auto day = std::chrono::floor<days>(minute);
  unsigned begin = static_cast<unsigned>((minute - day).count());
  for (; day < end; day += days(1), begin = 0) {
    if (!has_day(year_month_day(day))) continue;
    for (unsigned at = begin; at < 24 * 60; ++at) {
      if (!hours_.test(at / 60) || !minutes_.test(at % 60)) continue;
      const WallTime found = day + std::chrono::minutes(at);
      return found < end ? found : WallTime::max();
    }
  }
  return WallTime::max();
}

// Local times are searched in each interval between two changes of the clocks. A skipped local time is in no interval,
// and a repeated one is in two.
WallTime Schedule::next(WallTime time) const {
  WallTime from = std::chrono::floor<std::chrono::minutes>(time) + std::chrono::minutes(1);
  const WallTime end = from + farthest;
  if (zone_ == nullptr) return next_local(from, end);
  from = time + std::chrono::nanoseconds(1);
  while (from < end) {
    const TimeZone::Interval interval = zone_->interval_at(from);
    const WallTime until = std::min(interval.end, end);
    const WallTime local = next_local(from + interval.offset, until + interval.offset);
    if (local != WallTime::max()) return local - interval.offset;
    from = until;
  }
  return WallTime::max();
}

// A bisection: `found` is a point in time, and no point is after `end`.
std::optional<WallTime> Schedule::last(WallTime after, WallTime until) const {
  WallTime found = next(after);
  if (found > until) return {};
  for (WallTime end = until; found < end;) {
    const WallTime middle = found + (end - found) / 2;
    const WallTime later = next(middle);
    if (later <= until) {
      found = later;
    } else {
      end = middle;
    }
  }
  return found;
}

}  // namespace pintle
