// SPDX-License-Identifier: Apache-2.0
// Durations in JSON, parsed and printed as metav1.Duration does, with a resolution of one nanosecond.
#include <array>
#include <limits>
#include <optional>
#include <utility>

#include <pintle/base/text.hpp>
#include <pintle/object/value_type.hpp>

namespace pintle::internal {
namespace {

constexpr std::uint64_t second = 1'000'000'000;

constexpr std::array<std::pair<std::string_view, std::uint64_t>, 8> duration_units{{{"ns", 1},
                                                                                    {"us", 1'000},
                                                                                    {"\u00b5s", 1'000},
                                                                                    {"\u03bcs", 1'000},
                                                                                    {"ms", 1'000'000},
                                                                                    {"s", second},
                                                                                    {"m", 60 * second},
                                                                                    {"h", 3600 * second}}};

std::string_view take_digits(std::string_view& text) {
  const std::size_t length = std::min(text.find_first_not_of("0123456789"), text.size());
  const std::string_view digits = text.substr(0, length);
  text.remove_prefix(length);
  return digits;
}

// Reads one number with its unit, such as "1.5h". Fractions of a nanosecond are cut off.
std::optional<std::uint64_t> take_part(std::string_view& text) {
  const std::string_view whole = take_digits(text);
  std::string_view fraction;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    fraction = take_digits(text);
  }
  if (whole.empty() && fraction.empty()) return std::nullopt;
  const std::string_view name = text.substr(0, text.find_first_of("0123456789."));
  const auto* const unit =
      std::find_if(duration_units.begin(), duration_units.end(), [&](const auto& one) { return one.first == name; });
  if (unit == duration_units.end()) return std::nullopt;
  text.remove_prefix(name.size());
  std::uint64_t sum = 0;
  for (const char digit : whole) {
    if (__builtin_mul_overflow(sum, std::uint64_t(10), &sum)) return std::nullopt;
    if (__builtin_add_overflow(sum, static_cast<std::uint64_t>(digit - '0'), &sum)) return std::nullopt;
  }
  if (__builtin_mul_overflow(sum, unit->second, &sum)) return std::nullopt;
  std::uint64_t below = 0;
  for (std::size_t i = fraction.size(); i > 0; --i) {
    below = (below + static_cast<std::uint64_t>(fraction[i - 1] - '0') * unit->second) / 10;
  }
  if (__builtin_add_overflow(sum, below, &sum)) return std::nullopt;
  return sum;
}

std::optional<Duration> read_go_duration(std::string_view text) {
  const bool is_negative = text.starts_with('-');
  if (is_negative || text.starts_with('+')) text.remove_prefix(1);
  if (text == "0") return Duration();
  std::uint64_t sum = 0;
  do {
    const auto part = take_part(text);
    if (!part || __builtin_add_overflow(sum, *part, &sum)) return std::nullopt;
  } while (!text.empty());
  constexpr auto longest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (sum > longest) return std::nullopt;
  const Duration length(static_cast<std::int64_t>(sum));
  return is_negative ? -length : length;
}

// with_fraction(1500, 1000) returns "1.5".
std::string with_fraction(std::uint64_t amount, std::uint64_t unit) {
  std::string text = std::to_string(amount / unit);
  std::uint64_t rest = amount % unit;
  if (rest == 0) return text;
  text += '.';
  while (rest != 0) {
    rest *= 10;
    text += static_cast<char>('0' + rest / unit);
    rest %= unit;
  }
  return text;
}

}  // namespace

bool read_duration(json::View from, Duration& to, const Place& place, Reading& reading) {
  const auto text = from.as_string();
  if (!text) return reading.expected(place, "a string", from);
  const auto length = read_go_duration(*text);
  if (!length) return reading.fails(place, quote(*text) + " is not a duration such as 1h30m, 1.5s or 300ms");
  to = *length;
  return true;
}

json::Value write_duration(Duration duration) {
  if (duration == Duration::zero()) return "0s";
  const bool is_negative = duration < Duration::zero();
  const auto count = static_cast<std::uint64_t>(duration.count());
  const std::uint64_t amount = is_negative ? ~count + 1 : count;
  std::string text = is_negative ? "-" : "";
  if (amount < 1'000) {
    text += std::to_string(amount) + "ns";
  } else if (amount < 1'000'000) {
    text += with_fraction(amount, 1'000) + "\u00b5s";
  } else if (amount < second) {
    text += with_fraction(amount, 1'000'000) + "ms";
  } else {
    const std::uint64_t hours = amount / (3600 * second);
    const std::uint64_t minutes = amount / (60 * second) % 60;
    if (hours != 0) text += std::to_string(hours) + "h";
    if (hours != 0 || minutes != 0) text += std::to_string(minutes) + "m";
    text += with_fraction(amount % (60 * second), second) + "s";
  }
  return json::Value(text);
}

json::object duration_schema() {
  return {{"type", "string"},
          {"format", "duration"},
          {"pattern", "^[-+]?(0|([0-9]+\\.?[0-9]*(ns|us|\u00b5s|\u03bcs|ms|s|m|h))+)$"}};
}

}  // namespace pintle::internal
