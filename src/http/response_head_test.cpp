// SPDX-License-Identifier: Apache-2.0
#include "response_head.hpp"

#include <gtest/gtest.h>

namespace pintle::http {
namespace {

using namespace std::chrono_literals;

constexpr WallTime now = WallTime(784111777s);

std::string head(const Response& response, const Framed& framed) {
  std::string out;
  append_head(out, response, framed, now);
  return out;
}

TEST(ResponseHead, DeclaresTheFramingOfTheBody) {
  const std::string date = "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n";

  EXPECT_EQ(head({.headers = {{"Content-Type", "text/plain"}}}, {.length = 5}),
            "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n" + date + "Content-Length: 5\r\n\r\n");
  EXPECT_EQ(head({.status = 404}, {.framing = Framing::chunked}),
            "HTTP/1.1 404 Not Found\r\n" + date + "Transfer-Encoding: chunked\r\n\r\n");
  EXPECT_EQ(head({.status = 299}, {.framing = Framing::until_close, .keep_alive = false}),
            "HTTP/1.1 299 Status\r\n" + date + "Connection: close\r\n\r\n");
  EXPECT_EQ(head({.status = 204}, {.framing = Framing::none}), "HTTP/1.1 204 No Content\r\n" + date + "\r\n");
}

TEST(ResponseHead, IgnoresFramingHeadersOfTheHandler) {
  const std::string text = head({.headers = {{"content-length", "9"},
                                             {"Transfer-Encoding", "chunked"},
                                             {"CONNECTION", "upgrade"},
                                             {"Date", "now"},
                                             {"X", "1"}}},
                                {});

  EXPECT_EQ(text, "HTTP/1.1 200 OK\r\nX: 1\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\nContent-Length: 0\r\n\r\n");
}

TEST(ResponseHead, AValueCannotBeginAHeader) {
  const std::string text = head({.headers = {{"Warning", "299 - a\r\nSet-Cookie: b"}}}, {});

  EXPECT_NE(text.find("Warning: 299 - a  Set-Cookie: b\r\n"), std::string::npos);
}

TEST(ResponseHead, PrintsDates) {
  EXPECT_EQ(format_http_date(WallTime(0s)), "Thu, 01 Jan 1970 00:00:00 GMT");
  EXPECT_EQ(format_http_date(WallTime(1709251199s) + 999ms), "Thu, 29 Feb 2024 23:59:59 GMT");
}

TEST(Chunk, IsFilledInPlace) {
  std::string out = "head";

  const std::size_t one = begin_chunk(out);
  out += "hello world, this";
  end_chunk(out, one);
  const std::size_t none = begin_chunk(out);
  end_chunk(out, none);
  out += last_chunk;

  EXPECT_EQ(out, "head00000011\r\nhello world, this\r\n0\r\n\r\n");
}

}  // namespace
}  // namespace pintle::http
