// The text before a body: status line and headers of an HTTP/1.x answer.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <pintle/base/time.hpp>
#include <pintle/http/handler.hpp>

namespace pintle::http {

enum class Framing { length, chunked, until_close, none };

struct Framed {
  Framing framing = Framing::length;
  std::uint64_t length = 0;
  bool keep_alive = true;
};

// Appends the head. Framing, Connection and Date are ours: what the response says of them is left out. A line break in
// a value becomes a space, so that no value can begin a header of its own.
void append_head(std::string& out, const Response& response, const Framed& framed, WallTime now);

[[nodiscard]] std::string_view reason_phrase(int status) noexcept;
// "Sun, 06 Nov 1994 08:49:37 GMT", in any locale.
[[nodiscard]] std::string format_http_date(WallTime time);

// A chunk that is filled in place: begin_chunk reserves its size line, end_chunk writes it, or takes back an empty one.
[[nodiscard]] std::size_t begin_chunk(std::string& out);
void end_chunk(std::string& out, std::size_t begin);
inline constexpr std::string_view last_chunk = "0\r\n\r\n";

}  // namespace pintle::http
