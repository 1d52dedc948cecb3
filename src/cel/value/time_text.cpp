// SPDX-License-Identifier: Apache-2.0
#include "time_text.hpp"

#include <array>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "text.hpp"

namespace pintle::cel {
namespace {

constexpr std::int64_t first_second = -62'135'596'800;  // of year 1
constexpr std::int64_t last_second = 253'402'300'799;   // of year 9999
constexpr std::int64_t nanoseconds_per_second = 1'000'000'000;

bool is_digit_of_time(char c) noexcept { return c >= '0' && c <= '9'; }

// Takes the parts of a text from its start.
class Cursor {
 public:
  explicit Cursor(std::string_view text) noexcept : text_(text) {}

  [[nodiscard]] bool is_at_end() const noexcept { return text_.empty(); }
  bool accept(char c) noexcept {
    if (!text_.starts_with(c)) return false;
    text_.remove_prefix(1);
    return true;
  }
  // Takes exactly `count` digits.
  std::optional<int> digits(std::size_t count) noexcept {
    int number = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (i >= text_.size() || !is_digit_of_time(text_[i])) return std::nullopt;
      number = number * 10 + (text_[i] - '0');
    }
    text_.remove_prefix(count);
    return number;
  }
  // Takes all digits of a fraction; returns nanoseconds. Further digits are ignored.
  std::optional<std::int32_t> fraction() noexcept {
    std::int32_t number = 0;
    std::size_t count = 0;
    for (; count < text_.size() && is_digit_of_time(text_[count]); ++count) {
      if (count < 9) number = number * 10 + (text_[count] - '0');
    }
    for (auto i = count; i < 9; ++i) number *= 10;
    text_.remove_prefix(count);
    return count == 0 ? std::nullopt : std::optional(number);
  }

 private:
  std::string_view text_;
};

struct Clock {
  int hours = 0;
  int minutes = 0;
  int seconds = 0;
};

std::optional<std::chrono::sys_days> take_date(Cursor& cursor) {
  using namespace std::chrono;
  const auto year_number = cursor.digits(4);
  if (!year_number || !cursor.accept('-')) return std::nullopt;
  const auto month_number = cursor.digits(2);
  if (!month_number || !cursor.accept('-')) return std::nullopt;
  const auto day_number = cursor.digits(2);
  if (!day_number) return std::nullopt;
  const year_month_day date{year(*year_number), month(static_cast<unsigned>(*month_number)),
                            day(static_cast<unsigned>(*day_number))};
  return date.ok() ? std::optional(sys_days(date)) : std::nullopt;
}

std::optional<Clock> take_clock(Cursor& cursor) {
  const auto hours = cursor.digits(2);
  if (!hours || *hours > 23 || !cursor.accept(':')) return std::nullopt;
  const auto minutes = cursor.digits(2);
  if (!minutes || *minutes > 59 || !cursor.accept(':')) return std::nullopt;
  const auto seconds = cursor.digits(2);
  if (!seconds || *seconds > 59) return std::nullopt;
  return Clock{*hours, *minutes, *seconds};
}

// The offset in seconds.
std::optional<int> take_zone(Cursor& cursor) {
  if (cursor.accept('Z')) return 0;
  const bool is_positive = cursor.accept('+');
  if (!is_positive && !cursor.accept('-')) return std::nullopt;
  const auto hours = cursor.digits(2);
  if (!hours || *hours > 23 || !cursor.accept(':')) return std::nullopt;
  const auto minutes = cursor.digits(2);
  if (!minutes || *minutes > 59) return std::nullopt;
  return (is_positive ? 1 : -1) * (*hours * 3600 + *minutes * 60);
}

std::string format_zone(int offset) {
  if (offset == 0) return "Z";
  const auto minutes = std::abs(offset) / 60;
  return fmt::format("{}{:02}:{:02}", offset < 0 ? '-' : '+', minutes / 60, minutes % 60);
}

// The shortest fraction of a second, with its point, or "".
std::string format_fraction(std::int64_t nanoseconds) {
  if (nanoseconds == 0) return {};
  auto text = fmt::format(".{:09}", nanoseconds);
  text.erase(text.find_last_not_of('0') + 1);
  return text;
}

constexpr std::array<std::pair<std::string_view, std::int64_t>, 8> duration_units = {
    {{"ns", 1},
     {"us", 1'000},
     {"\u00b5s", 1'000},
     {"\u03bcs", 1'000},
     {"ms", 1'000'000},
     {"s", nanoseconds_per_second},
     {"m", 60 * nanoseconds_per_second},
     {"h", 3600 * nanoseconds_per_second}}};

std::int64_t unit_of(std::string_view name) noexcept {
  for (const auto& [unit, size] : duration_units) {
    if (unit == name) return size;
  }
  return 0;
}

std::string_view take_digits(std::string_view& text) noexcept {
  std::size_t size = 0;
  while (size < text.size() && is_digit_of_time(text[size])) ++size;
  const auto digits = text.substr(0, size);
  text.remove_prefix(size);
  return digits;
}

// Takes one number with its unit. Returns nothing if there is none, or for an overflow.
std::optional<std::int64_t> take_part(std::string_view& text) {
  const auto whole = take_digits(text);
  std::string_view fraction;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    fraction = take_digits(text);
  }
  if (whole.empty() && fraction.empty()) return std::nullopt;
  std::size_t length = 0;
  while (length < text.size() && text[length] != '.' && !is_digit_of_time(text[length])) ++length;
  const auto unit = unit_of(text.substr(0, length));
  text.remove_prefix(length);
  if (unit == 0) return std::nullopt;

  std::int64_t number = 0;
  if (!whole.empty() && std::from_chars(whole.data(), whole.data() + whole.size(), number).ec != std::errc()) {
    return std::nullopt;
  }
  std::int64_t total = 0;
  if (__builtin_mul_overflow(number, unit, &total)) return std::nullopt;
  double scale = 1;
  double part = 0;
  for (const char c : fraction.substr(0, 18)) {
    part = part * 10 + (c - '0');
    scale *= 10;
  }
  const auto rest = static_cast<std::int64_t>(part * (static_cast<double>(unit) / scale));
  if (__builtin_add_overflow(total, rest, &total)) return std::nullopt;
  return total;
}

}  // namespace

bool is_in_range(const Timestamp& time) noexcept { return time.seconds >= first_second && time.seconds <= last_second; }

std::optional<Timestamp> parse_timestamp(std::string_view text) {
  Cursor cursor(text);
  const auto date = take_date(cursor);
  if (!date || !cursor.accept('T')) return std::nullopt;
  const auto clock = take_clock(cursor);
  if (!clock) return std::nullopt;
  std::int32_t nanoseconds = 0;
  if (cursor.accept('.')) {
    const auto fraction = cursor.fraction();
    if (!fraction) return std::nullopt;
    nanoseconds = *fraction;
  }
  const auto zone = take_zone(cursor);
  if (!zone || !cursor.is_at_end()) return std::nullopt;
  const std::int64_t days = date->time_since_epoch().count();
  const Timestamp time{days * 86'400 + clock->hours * 3600 + clock->minutes * 60 + clock->seconds - *zone, nanoseconds,
                       *zone};
  return is_in_range(time) ? std::optional(time) : std::nullopt;
}

std::string format_timestamp(const Timestamp& time) {
  using namespace std::chrono;
  const sys_seconds instant{seconds(time.seconds + time.offset)};
  const auto midnight = floor<days>(instant);
  const year_month_day date(midnight);
  const hh_mm_ss clock(instant - midnight);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}{}{}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), clock.hours().count(),
                     clock.minutes().count(), clock.seconds().count(), format_fraction(time.nanoseconds),
                     format_zone(time.offset));
}

std::optional<std::chrono::nanoseconds> parse_duration_text(std::string_view text) {
  const bool is_negative = text.starts_with('-');
  if (is_negative || text.starts_with('+')) text.remove_prefix(1);
  if (text == "0") return std::chrono::nanoseconds(0);
  if (text.empty()) return std::nullopt;
  std::int64_t total = 0;
  while (!text.empty()) {
    const auto part = take_part(text);
    if (!part || __builtin_add_overflow(total, *part, &total)) return std::nullopt;
  }
  return std::chrono::nanoseconds(is_negative ? -total : total);
}

std::string format_duration_text(std::chrono::nanoseconds duration) {
  const auto count = duration.count();
  const auto magnitude = count < 0 ? 0 - static_cast<std::uint64_t>(count) : static_cast<std::uint64_t>(count);
  const auto fraction = static_cast<std::int64_t>(magnitude % nanoseconds_per_second);
  return fmt::format("{}{}{}s", count < 0 ? "-" : "", magnitude / nanoseconds_per_second, format_fraction(fraction));
}

std::optional<Timestamp> add(const Timestamp& time, std::chrono::nanoseconds duration) noexcept {
  auto seconds = time.seconds + duration.count() / nanoseconds_per_second;
  auto nanoseconds = time.nanoseconds + duration.count() % nanoseconds_per_second;
  if (nanoseconds < 0) {
    nanoseconds += nanoseconds_per_second;
    --seconds;
  } else if (nanoseconds >= nanoseconds_per_second) {
    nanoseconds -= nanoseconds_per_second;
    ++seconds;
  }
  const Timestamp sum{seconds, static_cast<std::int32_t>(nanoseconds), time.offset};
  return is_in_range(sum) ? std::optional(sum) : std::nullopt;
}

std::optional<std::chrono::nanoseconds> subtract(const Timestamp& a, const Timestamp& b) noexcept {
  std::int64_t total = 0;
  if (__builtin_mul_overflow(a.seconds - b.seconds, nanoseconds_per_second, &total)) return std::nullopt;
  if (__builtin_add_overflow(total, std::int64_t{a.nanoseconds} - b.nanoseconds, &total)) return std::nullopt;
  return std::chrono::nanoseconds(total);
}

}  // namespace pintle::cel
