// SPDX-License-Identifier: Apache-2.0
#include "origin_guard.hpp"

#include <gtest/gtest.h>

namespace pintle {
namespace {

class CountedPages final : public http::Handler {
 public:
  http::Response handle(const http::Request&) override {
    ++seen;
    return {.body = "page"};
  }
  int seen = 0;
};

class OriginGuardTest : public ::testing::Test {
 protected:
  int send(const std::string& method, const std::string& target, const std::string& host = "",
           const std::string& origin = "") {
    http::Request request{.method = method, .target = target};
    if (!host.empty()) request.headers.set("Host", host);
    if (!origin.empty()) request.headers.set("Origin", origin);
    return guard.handle(request).status;
  }

  CountedPages pages;
  OriginGuard guard{pages, {"op.example.com"}};
};

TEST_F(OriginGuardTest, AcceptsItsOwnNamesAndAddresses) {
  for (const char* host :
       {"127.0.0.1:8080", "localhost:8080", "LOCALHOST", "[::1]:8080", "10.1.2.3", "op.example.com:80", "[fd00::1]"}) {
    EXPECT_EQ(send("POST", "/debug/log-level?level=debug", host), 200) << host;
    EXPECT_EQ(send("GET", "/debug/", host), 200) << host;
  }
  EXPECT_EQ(send("POST", "/debug/log-level"), 200) << "a request without an origin";
  EXPECT_EQ(send("POST", "/debug/log-level", "localhost:8080", "http://localhost:8080"), 200);
}

TEST_F(OriginGuardTest, RefusesAReboundHostName) {
  for (const char* host : {"evil.example:8080", "evil.example", "127.0.0.1.evil.example", "localhost.evil.example", "[",
                           "[::1", ":8080", "op.example.com.evil", "127.0.0.1@evil.example", "127.0.0.1:80x"}) {
    EXPECT_EQ(send("POST", "/debug/log-level?level=debug", host), 403) << host;
    EXPECT_EQ(send("GET", "/debug/controllers", host), 403) << host;
    EXPECT_EQ(send("GET", "/%64ebug/controllers", host), 403) << host;
  }
  pages.seen = 0;
  EXPECT_EQ(send("POST", "/debug/controllers/note/reconcile?key=a", "evil.example"), 403);
  EXPECT_EQ(pages.seen, 0);
}

// The proxy of an API server forwards the Host of its client, the name of the server.
TEST_F(OriginGuardTest, AcceptsAHeaderThatNoBrowserSendsInsteadOfTheHost) {
  http::Request request{.method = "GET", .target = "/debug/v1/operator"};
  request.headers.set("Host", "abc.gr7.eu-west-1.eks.amazonaws.com");
  EXPECT_EQ(guard.handle(request).status, 403);
  request.headers.set("Sec-Pintle-Terminal", "1");
  EXPECT_EQ(guard.handle(request).status, 200);
  request.headers.set("Origin", "http://evil.example");
  EXPECT_EQ(guard.handle(request).status, 403) << "the site of a browser counts nevertheless";
}

TEST_F(OriginGuardTest, RefusesARequestOfAnotherSite) {
  for (const char* origin : {"http://evil.example", "null", "https://127.0.0.1:9999", "http://127.0.0.1:80801"}) {
    EXPECT_EQ(send("POST", "/debug/log-level?level=debug", "127.0.0.1:8080", origin), 403) << origin;
  }
  EXPECT_EQ(send("POST", "/debug/log-level", "", "http://evil.example"), 403);
}

TEST_F(OriginGuardTest, ThePagesOfTheOperatorAreGuarded) {
  EXPECT_EQ(send("POST", "/sessions/one", "evil.example"), 403);
  EXPECT_EQ(send("POST", "/sessions/one", "127.0.0.1:8080", "http://evil.example"), 403);
  EXPECT_EQ(send("POST", "/sessions/one", "localhost:8080"), 200);
}

TEST_F(OriginGuardTest, HealthAndMetricsAreUnguarded) {
  for (const char* target : {"/healthz", "/readyz", "/metrics"}) {
    EXPECT_EQ(send("GET", target, "op.ns.svc:8080", "http://elsewhere"), 200) << target;
  }
}

}  // namespace
}  // namespace pintle
