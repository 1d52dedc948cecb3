// SPDX-License-Identifier: Apache-2.0
#include <pintle/http/listen_address.hpp>

#include <gtest/gtest.h>

namespace pintle::http {
namespace {

TEST(ListenAddress, IsParsedAndPrinted) {
  const auto host_of = [](const char* text) { return parse_listen_address(text).value().host; };
  EXPECT_EQ(host_of(":8080"), "");
  EXPECT_EQ(host_of("a.example:1"), "a.example");
  EXPECT_EQ(host_of("[::1]:80"), "::1");
  for (const char* text : {"127.0.0.1:8443", "[::1]:80", "a.example:1"}) {
    EXPECT_EQ(parse_listen_address(text).value().to_string(), text);
  }
}

TEST(ListenAddress, RecognisesLoopbackAddresses) {
  const auto is_loopback = [](const char* text) { return parse_listen_address(text).value().is_loopback(); };
  for (const char* text : {"127.0.0.1:1", "127.255.0.9:1", "[::1]:1", "[0:0:0:0:0:0:0:1]:1", "localhost:1"}) {
    EXPECT_TRUE(is_loopback(text)) << text;
  }
  for (const char* text : {":1", "0.0.0.0:1", "[::]:1", "128.0.0.1:1", "10.0.0.127:1", "localhost.example:1",
                           "127.0.0.1.example:1", "[::ffff:10.0.0.1]:1"}) {
    EXPECT_FALSE(is_loopback(text)) << text;
  }
}

}  // namespace
}  // namespace pintle::http
