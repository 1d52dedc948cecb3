// SPDX-License-Identifier: Apache-2.0
#include "request_text.hpp"

#include <memory>
#include <string>

#include <gtest/gtest.h>

namespace pintle::http {
namespace {

Request request_to(Endpoint endpoint) { return {.endpoint = std::make_shared<const Endpoint>(std::move(endpoint))}; }

TEST(RequestText, BeginsWithTheBasePathAndTheHost) {
  Request request = request_to({.tls = true, .host = "a.test", .port = 6443, .base_path = "/clusters/a"});
  request.target = "/api?x=1";

  EXPECT_EQ(request_text(request), "GET /clusters/a/api?x=1 HTTP/1.1\r\nHost: a.test:6443\r\n\r\n");
}

TEST(RequestText, OmitsTheUsualPortFromTheHost) {
  EXPECT_EQ(request_text(request_to({.tls = true, .host = "a.test", .port = 443})),
            "GET / HTTP/1.1\r\nHost: a.test\r\n\r\n");
  EXPECT_EQ(request_text(request_to({.host = "::1", .port = 80})), "GET / HTTP/1.1\r\nHost: [::1]\r\n\r\n");
  EXPECT_EQ(request_text(request_to({.host = "::1", .port = 443})), "GET / HTTP/1.1\r\nHost: [::1]:443\r\n\r\n");
}

TEST(RequestText, StatesTheLengthOfABody) {
  Request request = request_to({.host = "a", .port = 80});
  request.headers = {{"Content-Length", "99"}, {"X", ""}};
  request.method = "DELETE";
  EXPECT_EQ(request_text(request), "DELETE / HTTP/1.1\r\nHost: a\r\nX: \r\n\r\n");

  request.method = "POST";
  EXPECT_EQ(request_text(request), "POST / HTTP/1.1\r\nHost: a\r\nX: \r\nContent-Length: 0\r\n\r\n");

  request.body = "one";
  EXPECT_EQ(request_text(request), "POST / HTTP/1.1\r\nHost: a\r\nX: \r\nContent-Length: 3\r\n\r\none");
}

// Each of these would otherwise become a second header or a second request.
TEST(RequestText, RefusesPartsThatChangeItsMeaning) {
  const auto code_of = [](auto change) {
    Request request = request_to({.host = "a", .port = 80});
    change(request);
    const auto text = request_text(request);
    return text ? ErrorCode::unknown : text.error().code;
  };
  EXPECT_EQ(code_of([](Request& r) { r.method = "GET /x HTTP/1.1\r\nA:"; }), ErrorCode::invalid);
  EXPECT_EQ(code_of([](Request& r) { r.method = "GET "; }), ErrorCode::invalid);
  EXPECT_EQ(code_of([](Request& r) { r.method = ""; }), ErrorCode::invalid);
  EXPECT_EQ(code_of([](Request& r) { r.target = "/a b"; }), ErrorCode::invalid);
  EXPECT_EQ(code_of([](Request& r) { r.target = "a"; }), ErrorCode::invalid);
  EXPECT_EQ(code_of([](Request& r) { r.target = "/a\r\nX: y"; }), ErrorCode::invalid);
  EXPECT_EQ(code_of([](Request& r) { r.target = "/ä"; }), ErrorCode::invalid);
  EXPECT_EQ(code_of([](Request& r) { r.target = "/a#b"; }), ErrorCode::invalid);
  EXPECT_EQ(code_of([](Request& r) { r.headers.set("A b", "x"); }), ErrorCode::invalid);
  EXPECT_EQ(code_of([](Request& r) { r.headers.set("A:", "x"); }), ErrorCode::invalid);
  EXPECT_EQ(code_of([](Request& r) { r.headers.set("A", "x\r\nB: y"); }), ErrorCode::invalid);
  EXPECT_EQ(code_of([](Request& r) { r.headers.set("A", std::string("x\0y", 3)); }), ErrorCode::invalid);
  EXPECT_EQ(code_of([](Request& r) { r.endpoint = nullptr; }), ErrorCode::invalid);
  EXPECT_EQ(code_of([](Request& r) { r.headers.set("A", "x y ä"); }), ErrorCode::unknown);
}

}  // namespace
}  // namespace pintle::http
