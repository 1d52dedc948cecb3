// SPDX-License-Identifier: Apache-2.0
#include "value_forms.hpp"

#include <chrono>

namespace pintle::json {
namespace {

constexpr std::int64_t seconds_of_day = 86'400;

void put_digits(char* end, std::int64_t number, unsigned digits) noexcept {
  for (; digits != 0; --digits, number /= 10) *--end = static_cast<char>('0' + number % 10);
}

}  // namespace

std::string_view TimeFormat::format(std::int64_t seconds, std::int64_t nanos, bool micro) noexcept {
  constexpr std::int64_t first = -62'167'219'200;  // 0000-01-01T00:00:00Z
  constexpr std::int64_t last = 253'402'300'799;   // 9999-12-31T23:59:59Z
  if (seconds < first || seconds > last || nanos < 0 || nanos >= 1'000'000'000) return {};
  const std::int64_t in_day = ((seconds % seconds_of_day) + seconds_of_day) % seconds_of_day;
  put_day((seconds - in_day) / seconds_of_day);
  put_digits(text_ + 13, in_day / 3600, 2);
  put_digits(text_ + 16, in_day / 60 % 60, 2);
  put_digits(text_ + 19, in_day % 60, 2);
  if (!micro) {
    text_[19] = 'Z';
    return {text_, 20};
  }
  text_[19] = '.';
  put_digits(text_ + 26, nanos / 1000, 6);
  text_[26] = 'Z';
  return {text_, 27};
}

void TimeFormat::put_day(std::int64_t day) noexcept {
  if (day == day_ && text_[0] != '\0') return;
  day_ = day;
  const std::chrono::year_month_day date{std::chrono::sys_days{std::chrono::days{day}}};
  put_digits(text_ + 4, static_cast<int>(date.year()), 4);
  put_digits(text_ + 7, static_cast<unsigned>(date.month()), 2);
  put_digits(text_ + 10, static_cast<unsigned>(date.day()), 2);
  text_[4] = text_[7] = '-';
  text_[10] = 'T';
  text_[13] = text_[16] = ':';
}

void append_base64(std::string_view bytes, std::string& out) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  out.reserve(out.size() + (bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::size_t left = bytes.size() - at;
    const auto byte = [&](std::size_t i) {
      return i < left ? static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[at + i])) : 0U;
    };
    const std::uint32_t bits = byte(0) << 16U | byte(1) << 8U | byte(2);
    out += digits[bits >> 18U];
    out += digits[bits >> 12U & 63U];
    out += left > 1 ? digits[bits >> 6U & 63U] : '=';
    out += left > 2 ? digits[bits & 63U] : '=';
  }
}

}  // namespace pintle::json
