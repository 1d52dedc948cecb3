// SPDX-License-Identifier: Apache-2.0
// The head of an HTTP/1.x response: status line and headers.
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

// Appends the head. The server sets the headers for framing, Connection and Date, and ignores those of the response. A
// line break in a value becomes a space, so that a value cannot start another header.
void append_head(std::string& out, const Response& response, const Framed& framed, WallTime now);

[[nodiscard]] std::string_view reason_phrase(int status) noexcept;
// "Sun, 06 Nov 1994 08:49:37 GMT", in any locale.
[[nodiscard]] std::string format_http_date(WallTime time);

// Write a chunk in place: begin_chunk() reserves its size line; end_chunk() fills the size in, or removes an empty
// chunk.
[[nodiscard]] std::size_t begin_chunk(std::string& out);
void end_chunk(std::string& out, std::size_t begin);
inline constexpr std::string_view last_chunk = "0\r\n\r\n";

}  // namespace pintle::http
