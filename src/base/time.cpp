// SPDX-License-Identifier: Apache-2.0
#include <pintle/base/time.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include <fmt/compile.h>
#include <fmt/format.h>

#include <pintle/base/result.hpp>

namespace pintle {
namespace {

using std::chrono::floor;

struct Civil {
  std::chrono::year_month_day day;
  std::chrono::hh_mm_ss<std::chrono::nanoseconds> time;
};

Civil civil(WallTime time) {
  const auto days = floor<std::chrono::days>(time);
  return {std::chrono::year_month_day(days), std::chrono::hh_mm_ss<std::chrono::nanoseconds>(time - days)};
}

std::string format_seconds(const Civil& c) {
  return fmt::format(FMT_COMPILE("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}"), static_cast<int>(c.day.year()),
                     static_cast<unsigned>(c.day.month()), static_cast<unsigned>(c.day.day()), c.time.hours().count(),
                     c.time.minutes().count(), c.time.seconds().count());
}

// Reads fixed-width numbers and single characters from the front of a text.
class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  std::optional<int> number(std::size_t digits) {
    if (rest_.size() < digits) return std::nullopt;
    int value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + digits, value);
    if (error != std::errc{} || end != rest_.data() + digits || rest_.front() == '-') return std::nullopt;
    rest_.remove_prefix(digits);
    return value;
  }
  bool one_of(std::string_view characters) {
    if (rest_.empty() || characters.find(rest_.front()) == std::string_view::npos) return false;
    last_ = rest_.front();
    rest_.remove_prefix(1);
    return true;
  }
  // Reads up to nine digits of a fraction of a second and returns nanoseconds.
  std::optional<int> fraction() {
    int value = 0;
    int digits = 0;
    while (digits < 9 && one_of("0123456789")) {
      value = value * 10 + (last_ - '0');
      ++digits;
    }
    if (digits == 0) return std::nullopt;
    for (; digits < 9; ++digits) value *= 10;
    return value;
  }
  [[nodiscard]] char last() const { return last_; }
  [[nodiscard]] bool done() const { return rest_.empty(); }

 private:
  std::string_view rest_;
  char last_ = 0;
};

std::optional<std::chrono::minutes> read_offset(Reader& reader) {
  if (reader.one_of("Zz")) return std::chrono::minutes(0);
  if (!reader.one_of("+-")) return std::nullopt;
  const int sign = reader.last() == '-' ? -1 : 1;
  const auto hours = reader.number(2);
  if (!hours || !reader.one_of(":")) return std::nullopt;
  const auto minutes = reader.number(2);
  if (!minutes || *hours > 23 || *minutes > 59) return std::nullopt;
  return std::chrono::minutes(sign * (*hours * 60 + *minutes));
}

std::optional<WallTime> read_time(std::string_view text) {
  Reader reader(text);
  const auto year = reader.number(4);
  if (!year || !reader.one_of("-")) return std::nullopt;
  const auto month = reader.number(2);
  if (!month || !reader.one_of("-")) return std::nullopt;
  const auto day = reader.number(2);
  if (!day || !reader.one_of("Tt ")) return std::nullopt;
  const auto hour = reader.number(2);
  if (!hour || !reader.one_of(":")) return std::nullopt;
  const auto minute = reader.number(2);
  if (!minute || !reader.one_of(":")) return std::nullopt;
  const auto second = reader.number(2);
  if (!second || *hour > 23 || *minute > 59 || *second > 60) return std::nullopt;
  int nanoseconds = 0;
  if (reader.one_of(".")) {
    const auto fraction = reader.fraction();
    if (!fraction) return std::nullopt;
    nanoseconds = *fraction;
  }
  const auto offset = read_offset(reader);
  const std::chrono::year_month_day date(std::chrono::year(*year), std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day)));
  // A WallTime has nanoseconds since 1970 in 64 bits, which reach from 1677 to 2262. These years are well inside.
  if (!offset || !reader.done() || !date.ok() || *year < 1700 || *year > 2250) return std::nullopt;
  return WallTime(std::chrono::sys_days(date)) + std::chrono::hours(*hour) + std::chrono::minutes(*minute) +
         std::chrono::seconds(*second) + std::chrono::nanoseconds(nanoseconds) - *offset;
}

constexpr std::array<std::pair<std::string_view, Duration>, 6> units{{{"ns", std::chrono::nanoseconds(1)},
                                                                      {"us", std::chrono::microseconds(1)},
                                                                      {"ms", std::chrono::milliseconds(1)},
                                                                      {"s", std::chrono::seconds(1)},
                                                                      {"m", std::chrono::minutes(1)},
                                                                      {"h", std::chrono::hours(1)}}};

std::optional<Duration> read_duration(std::string_view text) {
  constexpr double max_seconds = 100.0 * 365 * 24 * 3600;  // seconds; the sum of two such parts does not overflow
  Duration sum{};
  if (text.empty()) return std::nullopt;
  while (!text.empty()) {
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
    if (error != std::errc{} || !(number >= 0)) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    const std::string_view name = text.substr(0, text.find_first_of("0123456789."));
    const auto* const unit =
        std::find_if(units.begin(), units.end(), [&](const auto& one) { return one.first == name; });
    if (unit == units.end()) return std::nullopt;
    text.remove_prefix(name.size());
    const double seconds = number * std::chrono::duration<double>(unit->second).count();
    if (seconds > max_seconds) return std::nullopt;
    sum += std::chrono::round<Duration>(std::chrono::duration<double>(seconds));
    if (sum > std::chrono::round<Duration>(std::chrono::duration<double>(max_seconds))) return std::nullopt;
  }
  return sum;
}

}  // namespace

Instant after(Instant now, Duration delay) noexcept {
  if (delay <= Duration::zero()) return now;
  return delay >= Instant::max() - now ? Instant::max() : now + delay;
}

std::string format_time(WallTime time) { return format_seconds(civil(time)) + "Z"; }

std::string format_micro_time(WallTime time) {
  const Civil c = civil(time);
  const auto micros = std::chrono::duration_cast<std::chrono::microseconds>(c.time.subseconds());
  return fmt::format("{}.{:06}Z", format_seconds(c), micros.count());
}

Result<WallTime> parse_time(std::string_view text) {
  if (const auto time = read_time(text)) return *time;
  return fail(
      ErrorCode::invalid,
      fmt::format("\"{}\" is not an RFC 3339 time of the years 1700 to 2250, such as 2026-01-02T03:04:05Z", text));
}

std::string format_duration(Duration duration) {
  using namespace std::chrono_literals;
  if (duration < Duration::zero()) return "-" + format_duration(-duration);
  if (duration == Duration::zero()) return "0s";
  if (duration < 1us) return fmt::format("{}ns", duration.count());
  if (duration < 1ms) return fmt::format("{:.3g}us", static_cast<double>(duration.count()) / 1e3);
  if (duration < 1s) return fmt::format("{:.3g}ms", static_cast<double>(duration.count()) / 1e6);
  if (duration < 60s) return fmt::format("{:.4g}s", static_cast<double>(duration.count()) / 1e9);
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(duration).count();
  std::string text;
  if (seconds >= 3600) text += fmt::format("{}h", seconds / 3600);
  if (seconds % 3600 >= 60) text += fmt::format("{}m", seconds % 3600 / 60);
  if (seconds % 60 != 0) text += fmt::format("{}s", seconds % 60);
  return text;
}

Result<Duration> parse_duration(std::string_view text) {
  if (const auto duration = read_duration(text)) return *duration;
  return fail(ErrorCode::invalid, fmt::format("\"{}\" is not a duration such as 15s, 500ms or 1m30s", text));
}

}  // namespace pintle
