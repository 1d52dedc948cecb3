// SPDX-License-Identifier: Apache-2.0
#include "server_clock.hpp"

#include <array>
#include <charconv>

namespace pintle {
namespace {

std::optional<int> number_at(std::string_view text, std::size_t at, std::size_t size) {
  int number = 0;
  const char* const end = text.data() + at + size;
  const auto [stop, error] = std::from_chars(text.data() + at, end, number);
  if (error != std::errc() || stop != end || number < 0) return std::nullopt;
  return number;
}

std::optional<unsigned> month_at(std::string_view text, std::size_t at) {
  constexpr std::array<std::string_view, 12> names{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                   "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  for (unsigned i = 0; i < names.size(); ++i) {
    if (text.substr(at, 3) == names[i]) return i + 1;
  }
  return std::nullopt;
}

}  // namespace

std::optional<WallTime> parse_http_date(std::string_view text) {
  constexpr std::string_view form = "Sun, 06 Nov 1994 08:49:37 GMT";
  if (text.size() != form.size() || text.substr(25) != " GMT") return std::nullopt;
  const auto day = number_at(text, 5, 2);
  const auto month = month_at(text, 8);
  const auto year = number_at(text, 12, 4);
  const auto hour = number_at(text, 17, 2);
  const auto minute = number_at(text, 20, 2);
  const auto second = number_at(text, 23, 2);
  if (!day || !month || !year || !hour || !minute || !second) return std::nullopt;
  const std::chrono::year_month_day date(std::chrono::year(*year), std::chrono::month(*month),
                                         std::chrono::day(static_cast<unsigned>(*day)));
  const bool is_representable = *year >= 1700 && *year <= 2250;
  if (!date.ok() || !is_representable || *hour > 23 || *minute > 59 || *second > 60) return std::nullopt;
  return WallTime(std::chrono::sys_days(date)) + std::chrono::hours(*hour) + std::chrono::minutes(*minute) +
         std::chrono::seconds(*second);
}

void ServerClock::set(std::string_view date) {
  const auto parsed = parse_http_date(date);
  if (!parsed) return;
  date_ = parsed;
  date_at_ = clock_.now();
}

WallTime ServerClock::now() const { return date_ ? *date_ + (clock_.now() - date_at_) : clock_.wall_now(); }

}  // namespace pintle
