// SPDX-License-Identifier: Apache-2.0
#include <pintle/http/message.hpp>

#include <gtest/gtest.h>

namespace pintle::http {
namespace {

TEST(Headers, ComparesNamesWithoutCase) {
  Headers headers{{"Content-Type", "application/json"}, {"Warning", "299 a"}, {"warning", "299 b"}};

  EXPECT_EQ(headers.get("content-type"), "application/json");
  EXPECT_EQ(headers.get("WARNING"), "299 a");
  EXPECT_EQ(headers.get_all("Warning"), (std::vector<std::string_view>{"299 a", "299 b"}));
  EXPECT_EQ(headers.get("Accept"), std::nullopt);
}

TEST(Headers, SetReplacesEveryValueOfTheName) {
  Headers headers{{"Warning", "a"}, {"Accept", "x"}, {"WARNING", "b"}};

  headers.set("warning", "c");

  EXPECT_EQ(headers.get_all("Warning"), std::vector<std::string_view>{"c"});
  EXPECT_EQ(headers.get("Accept"), "x");
}

TEST(Endpoint, PrintsItsUrl) {
  struct Case {
    Endpoint endpoint;
    std::string url;
  };
  const std::vector<Case> cases = {
      {{.tls = true, .host = "example.test", .port = 6443}, "https://example.test:6443"},
      {{.host = "127.0.0.1", .port = 80, .base_path = "/clusters/a"}, "http://127.0.0.1:80/clusters/a"},
      {{.tls = true, .host = "::1", .port = 1}, "https://[::1]:1"},
      {{.host = "localhost"}, "http://localhost"},
  };
  for (const Case& c : cases) EXPECT_EQ(c.endpoint.url(), c.url);
}

TEST(PercentEncode, KeepsUnreservedCharactersAlone) {
  EXPECT_EQ(percent_encode("aZ09-._~"), "aZ09-._~");
  EXPECT_EQ(percent_encode("a b/c=d,é"), "a%20b%2Fc%3Dd%2C%C3%A9");
  EXPECT_EQ(percent_encode(std::string_view("\0\xff", 2)), "%00%FF");
}

TEST(PercentDecode, UndoesEscapesAndKeepsMalformedOnes) {
  struct Case {
    std::string text, plain, query;
  };
  const std::vector<Case> cases = {
      {"", "", ""},
      {"a%20b", "a b", "a b"},
      {"a+b", "a+b", "a b"},
      {"%2f%2F", "//", "//"},
      {"100%", "100%", "100%"},
      {"%4", "%4", "%4"},
      {"%zz%41", "%zzA", "%zzA"},
      {"%2B+", "++", "+ "},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(percent_decode(c.text), c.plain) << c.text;
    EXPECT_EQ(percent_decode(c.text, true), c.query) << c.text;
  }
}

TEST(PercentDecode, UndoesEveryEncodedByte) {
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);

  EXPECT_EQ(percent_decode(percent_encode(all)), all);
  EXPECT_EQ(percent_decode(percent_encode(all), true), all);
}

TEST(ParseTarget, SplitsPathAndParameters) {
  const Target target = parse_target("/api/v1/a%2Fb?watch=1&labelSelector=a%3Db%2Cc&empty=&bare&&x=1=2&x=3");

  EXPECT_EQ(target.path, "/api/v1/a/b");
  EXPECT_EQ(target.parameters.size(), 6U);
  EXPECT_EQ(target.parameter("watch"), "1");
  EXPECT_EQ(target.parameter("labelSelector"), "a=b,c");
  EXPECT_EQ(target.parameter("empty"), "");
  EXPECT_EQ(target.parameter("bare"), "");
  EXPECT_EQ(target.parameter("x"), "1=2");
  EXPECT_EQ(target.parameter("none"), std::nullopt);
}

TEST(ParseTarget, AcceptsTargetsWithoutQuery) {
  EXPECT_EQ(parse_target("/healthz").path, "/healthz");
  EXPECT_TRUE(parse_target("/healthz?").parameters.empty());
  EXPECT_EQ(parse_target("").path, "");
}

}  // namespace
}  // namespace pintle::http
