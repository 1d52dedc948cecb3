// SPDX-License-Identifier: Apache-2.0
#include "decoded_texts.hpp"

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

#include <pintle/base/text.hpp>
#include <pintle/json/value.hpp>
#include <pintle/object/quantity.hpp>

namespace pintle::apiserver {
namespace {

bool is_decimal_digit(char c) { return '0' <= c && c <= '9'; }
std::string go_quoted(std::string_view text) { return json::print(json::Value(text)); }

// Reads a time as RFC 3339 describes it, from left to right.
class TimeReader {
 public:
  TimeReader(std::string_view text, bool micro) : whole_(text), rest_(text), micro_(micro) {}

  std::string error() && {
    const bool is_read = number("2006", 4, 0, 9999) && literal("-") && number("01", 2, 1, 12, "month") &&
                         literal("-") && day() && literal("T") && number("15", 2, 0, 23, "hour") && literal(":") &&
                         number("04", 2, 0, 59, "minute") && literal(":") && number("05", 2, 0, 59, "second") &&
                         fraction() && zone();
    if (is_read && !rest_.empty()) fail(fmt::format("extra text: {}", go_quoted(rest_)));
    if (is_read && error_.empty() && !day_exists()) fail("day out of range");
    return std::move(error_);
  }

 private:
  bool fail(std::string_view why) {
    if (error_.empty()) error_ = fmt::format("parsing time {}: {}", go_quoted(whole_), why);
    return false;
  }
  bool mismatch(std::string_view part) {
    const std::string_view layout = micro_ ? "2006-01-02T15:04:05.000000Z07:00" : "2006-01-02T15:04:05Z07:00";
    error_ = fmt::format("parsing time {} as {}: cannot parse {} as {}", go_quoted(whole_), go_quoted(layout),
                         go_quoted(rest_), go_quoted(part));
    return false;
  }
  bool literal(std::string_view text) {
    if (!rest_.starts_with(text)) return mismatch(text);
    rest_.remove_prefix(text.size());
    return true;
  }
  bool number(std::string_view part, std::size_t digits, int lowest, int highest, std::string_view name = {}) {
    const bool has_digits = rest_.size() >= digits && std::ranges::all_of(rest_.substr(0, digits), is_decimal_digit);
    if (!has_digits) return mismatch(part);
    int value = 0;
    for (const char c : rest_.substr(0, digits)) value = 10 * value + (c - '0');
    rest_.remove_prefix(digits);
    if (value < lowest || value > highest) return fail(fmt::format("{} out of range", name));
    (part == "2006" ? year_ : part == "01" ? month_ : day_) = value;
    return true;
  }
  bool day() {
    if (!number("02", 2, 0, 99)) return false;
    day_of_month_ = day_;
    return true;
  }
  [[nodiscard]] bool day_exists() const {
    constexpr int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    const bool leaps = year_ % 4 == 0 && (year_ % 100 != 0 || year_ % 400 == 0);
    return day_of_month_ >= 1 && day_of_month_ <= days[month_ - 1] + (month_ == 2 && leaps ? 1 : 0);
  }
  bool fraction() {
    const bool starts = rest_.starts_with('.') || rest_.starts_with(',');
    std::size_t end = starts ? 1 : 0;
    while (starts && end < rest_.size() && is_decimal_digit(rest_[end])) ++end;
    if (micro_) {
      if (end < 7) return mismatch(".000000");
      end = 7;
    }
    if (end > 1) rest_.remove_prefix(end);
    return true;
  }
  bool zone() {
    if (rest_.starts_with('Z')) {
      rest_.remove_prefix(1);
      return true;
    }
    const auto digits_at = [&](std::size_t at) {
      return is_decimal_digit(rest_[at]) && is_decimal_digit(rest_[at + 1]);
    };
    const bool has_form = rest_.size() >= 6 && (rest_.front() == '+' || rest_.front() == '-') && rest_[3] == ':' &&
                          digits_at(1) && digits_at(4);
    if (!has_form) return mismatch("Z07:00");
    rest_.remove_prefix(6);
    return true;
  }

  const std::string_view whole_;
  std::string_view rest_;
  const bool micro_;
  int year_ = 0;
  int month_ = 1;
  int day_ = 1;
  int day_of_month_ = 1;
  std::string error_;
};

// Returns whether a text has the form of a quantity, perhaps with a suffix that does not exist.
bool is_like_quantity(std::string_view text) {
  const auto skip = [&](std::string_view characters) {
    text.remove_prefix(std::min(text.find_first_not_of(characters), text.size()));
  };
  if (text.empty()) return false;
  if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
  skip("0123456789");
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    skip("0123456789");
  }
  skip("eEinumkKMGTP");
  if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
  skip("0123456789");
  return text.empty();
}

int base64_value(char c) {
  constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  return static_cast<int>(static_cast<std::ptrdiff_t>(alphabet.find(c)));
}

}  // namespace

std::string time_error(std::string_view text, bool micro) { return TimeReader(text, micro).error(); }

std::string quantity_error(std::string_view text) {
  if (Quantity::parse(trim(text))) return {};
  return is_like_quantity(trim(text))
             ? "unable to parse quantity's suffix"
             : "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
}

std::string base64_error(std::string_view text) {
  const auto at = [](std::size_t index) { return fmt::format("illegal base64 data at input byte {}", index); };
  std::size_t next = 0;
  const auto skip_lines = [&] {
    while (next < text.size() && (text[next] == '\n' || text[next] == '\r')) ++next;
  };
  while (true) {
    std::size_t read = 0;  // characters of this group of four
    for (skip_lines(); read < 4 && next < text.size() && base64_value(text[next]) >= 0; skip_lines()) {
      ++read;
      ++next;
    }
    if (read == 4) continue;
    if (next == text.size()) return read == 0 ? std::string() : at(next - read);
    if (text[next] != '=' || read < 2) return at(next);
    ++next;
    skip_lines();
    if (read == 2) {
      if (next == text.size()) return at(next);
      if (text[next] != '=') return at(next - 1);
      ++next;
      skip_lines();
    }
    return next == text.size() ? std::string() : at(next);
  }
}

}  // namespace pintle::apiserver
