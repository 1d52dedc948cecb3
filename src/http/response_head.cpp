// SPDX-License-Identifier: Apache-2.0
#include "response_head.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <iterator>

#include <fmt/format.h>

#include "names.hpp"

namespace pintle::http {
namespace {

struct Phrase {
  int status;
  std::string_view text;
};
constexpr auto phrases = std::to_array<Phrase>({
    {100, "Continue"},
    {101, "Switching Protocols"},
    {200, "OK"},
    {201, "Created"},
    {202, "Accepted"},
    {204, "No Content"},
    {206, "Partial Content"},
    {301, "Moved Permanently"},
    {302, "Found"},
    {304, "Not Modified"},
    {307, "Temporary Redirect"},
    {308, "Permanent Redirect"},
    {400, "Bad Request"},
    {401, "Unauthorized"},
    {403, "Forbidden"},
    {404, "Not Found"},
    {405, "Method Not Allowed"},
    {406, "Not Acceptable"},
    {408, "Request Timeout"},
    {409, "Conflict"},
    {410, "Gone"},
    {412, "Precondition Failed"},
    {413, "Content Too Large"},
    {415, "Unsupported Media Type"},
    {422, "Unprocessable Content"},
    {429, "Too Many Requests"},
    {431, "Request Header Fields Too Large"},
    {500, "Internal Server Error"},
    {501, "Not Implemented"},
    {502, "Bad Gateway"},
    {503, "Service Unavailable"},
    {504, "Gateway Timeout"},
});

bool is_ours(std::string_view name) {
  constexpr auto ours = std::to_array<std::string_view>({"connection", "content-length", "transfer-encoding", "date"});
  return std::any_of(ours.begin(), ours.end(), [&](std::string_view field) { return same_name(field, name); });
}

void append_line(std::string& out, std::string_view text) {
  const std::size_t begin = out.size();
  out += text;
  std::replace_if(
      out.begin() + static_cast<std::ptrdiff_t>(begin), out.end(), [](char c) { return c == '\r' || c == '\n'; }, ' ');
}

}  // namespace

std::string_view reason_phrase(int status) noexcept {
  const auto found = std::find_if(phrases.begin(), phrases.end(), [&](const Phrase& p) { return p.status == status; });
  return found == phrases.end() ? "Status" : found->text;
}

std::string format_http_date(WallTime time) {
  constexpr std::array days = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  constexpr std::array months = {"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(std::chrono::floor<std::chrono::seconds>(time - day));
  return fmt::format("{}, {:02} {} {:04} {:02}:{:02}:{:02} GMT", days[std::chrono::weekday(day).c_encoding()],
                     static_cast<unsigned>(date.day()), months[static_cast<unsigned>(date.month()) - 1],
                     static_cast<int>(date.year()), clock.hours().count(), clock.minutes().count(),
                     clock.seconds().count());
}

void append_head(std::string& out, const Response& response, const Framed& framed, WallTime now) {
  fmt::format_to(std::back_inserter(out), "HTTP/1.1 {} {}\r\n", response.status, reason_phrase(response.status));
  for (const auto& [name, value] : response.headers) {
    if (is_ours(name)) continue;
    append_line(out, name);
    out += ": ";
    append_line(out, value);
    out += "\r\n";
  }
  out.append("Date: ").append(format_http_date(now)).append("\r\n");
  if (framed.framing == Framing::length)
    fmt::format_to(std::back_inserter(out), "Content-Length: {}\r\n", framed.length);
  if (framed.framing == Framing::chunked) out += "Transfer-Encoding: chunked\r\n";
  if (!framed.keep_alive) out += "Connection: close\r\n";
  out += "\r\n";
}

// The size of a chunk may have leading zeros, so its digits can be reserved before the size is known.
constexpr std::size_t size_digits = 8;

std::size_t begin_chunk(std::string& out) {
  const std::size_t begin = out.size();
  out.append(size_digits, '0').append("\r\n");
  return begin;
}

void end_chunk(std::string& out, std::size_t begin) {
  const std::size_t size = out.size() - begin - size_digits - 2;
  if (size == 0) {
    out.resize(begin);
    return;
  }
  out.replace(begin, size_digits, fmt::format("{:08x}", size));
  out += "\r\n";
}

}  // namespace pintle::http
