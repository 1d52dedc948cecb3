// SPDX-License-Identifier: Apache-2.0
#include "response_parser.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace pintle::http {
namespace {

using State = ResponseParser::State;

class RecordingSink final : public ResponseParser::Sink {
 public:
  void on_head(const ResponseHead& head) override { heads.push_back(head); }
  void on_body(std::string_view chunk) override { body += chunk; }

  std::vector<ResponseHead> heads;
  std::string body;
};

struct ParsedResponse {
  State state = State::incomplete;
  int status = 0;
  std::string body{};
  bool keeps_alive = false;

  friend bool operator==(const ParsedResponse&, const ParsedResponse&) = default;
};

// Parses a text in pieces of this size, then the end of the connection if `ends` is set.
ParsedResponse parse(std::string_view text, std::size_t piece, bool ends = false, bool has_body = true) {
  RecordingSink sink;
  ResponseParser parser(has_body, sink);
  State state = State::incomplete;
  for (; !text.empty(); text.remove_prefix(std::min(piece, text.size()))) state = parser.add(text.substr(0, piece));
  if (ends) state = parser.end();
  EXPECT_LE(sink.heads.size(), 1U);
  return {state, sink.heads.empty() ? 0 : sink.heads.front().status, sink.body,
          state == State::complete && parser.keeps_alive()};
}

const std::string chunked =
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n7;x=y\r\n, world\r\n0\r\nTrailer: t\r\n\r\n";
const std::string sized = "HTTP/1.1 201 Created\r\nContent-Length: 5\r\n\r\nhello";

TEST(ResponseParser, PiecesOfAnySizeGiveTheSameResponse) {
  for (const std::size_t piece : {1, 2, 3, 5, 7, 11, 64, 300, 4096}) {
    EXPECT_EQ(parse(chunked, piece), (ParsedResponse{State::complete, 200, "hello, world", true})) << piece;
    EXPECT_EQ(parse(sized, piece), (ParsedResponse{State::complete, 201, "hello", true})) << piece;
  }
}

TEST(ResponseParser, ALongBodyArrivesWhole) {
  std::string body;
  for (int i = 0; i < 40'000; ++i) body += std::to_string(i) + ' ';
  std::string text = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (std::size_t at = 0; at < body.size(); at += 4096) {
    const std::string part = body.substr(at, 4096);
    char size[16];
    std::snprintf(size, sizeof(size), "%zx\r\n", part.size());
    text += size + part + "\r\n";
  }
  text += "0\r\n\r\n";

  for (const std::size_t piece : {997, 4096, 65'536}) {
    const ParsedResponse parsed = parse(text, piece);
    EXPECT_EQ(parsed.state, State::complete);
    EXPECT_TRUE(parsed.body == body) << piece;
  }
}

TEST(ResponseParser, SkipsInterimResponses) {
  const std::string text = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" + sized;

  EXPECT_EQ(parse(text, 1), (ParsedResponse{State::complete, 201, "hello", true}));
  EXPECT_EQ(parse(text, 4096), (ParsedResponse{State::complete, 201, "hello", true}));
}

TEST(ResponseParser, AResponseWithoutABodyEndsAtItsHead) {
  EXPECT_EQ(parse("HTTP/1.1 204 No Content\r\n\r\n", 4096), (ParsedResponse{State::complete, 204, "", true}));
  EXPECT_EQ(parse("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", 4096, false, false),
            (ParsedResponse{State::complete, 200, "", true}))
      << "the response to a HEAD request";
}

TEST(ResponseParser, ABodyWithoutALengthEndsWithTheConnection) {
  const std::string text = "HTTP/1.0 200 OK\r\n\r\nhello";

  EXPECT_EQ(parse(text, 3), (ParsedResponse{State::incomplete, 200, "hello", false}));
  EXPECT_EQ(parse(text, 3, true), (ParsedResponse{State::complete, 200, "hello", false}));
}

TEST(ResponseParser, AnEarlyEndOfTheConnectionLeavesTheResponseIncomplete) {
  for (std::size_t cut = 0; cut < sized.size(); ++cut) {
    EXPECT_EQ(parse(sized.substr(0, cut), 4096, true).state, State::incomplete) << cut;
  }
  for (std::size_t cut = 0; cut < chunked.size(); ++cut) {
    EXPECT_EQ(parse(chunked.substr(0, cut), 4096, true).state, State::incomplete) << cut;
  }
}

TEST(ResponseParser, AConnectionThatMustCloseIsNotKept) {
  EXPECT_FALSE(parse("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n", 4096).keeps_alive);
  EXPECT_FALSE(parse(sized + "HTTP/1.1 200 OK\r\n", 4096).keeps_alive) << "nothing was requested after the response";
  EXPECT_FALSE(parse(sized + "x", 3).keeps_alive);
}

TEST(ResponseParser, RefusesTextThatIsNotHttp) {
  EXPECT_EQ(parse("220 mail.example.test ESMTP\r\n\r\n", 4096).state, State::malformed);
  EXPECT_EQ(parse("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", 4096).state, State::malformed);
  EXPECT_EQ(parse("HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n", 4096).state, State::malformed);
  EXPECT_EQ(parse("HTTP/1.1 200 OK\r\nX: " + std::string(1 << 20, 'x'), 65'536).state, State::malformed)
      << "a head has a maximum size";
}

}  // namespace
}  // namespace pintle::http
