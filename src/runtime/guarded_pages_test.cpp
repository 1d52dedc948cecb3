#include "guarded_pages.hpp"

#include <chrono>
#include <vector>

#include <gtest/gtest.h>

#include <pintle/base/simulated_runtime.hpp>

#include "review_test_support.hpp"

namespace pintle {
namespace {

class EchoPages final : public http::Handler {
 public:
  http::Response handle(const http::Request& request) override { return {.body = "page " + request.target}; }
};

class GuardedPagesTest : public ::testing::Test {
 protected:
  GuardedPagesTest() {
    cluster_.users = {{"token-of-jane", "jane"}};
    cluster_.allowed = {{"jane", "get /metrics"}, {"jane", "post /debug/log-level"}};
  }

  // The answer of the guard, at once or later.
  http::Response ask(const std::string& target, const std::string& authorization = "", std::string method = "GET") {
    http::Request request{.method = std::move(method), .target = target};
    if (!authorization.empty()) request.headers.set("Authorization", authorization);
    http::Response response = guard_.handle(request);
    is_at_once_ = !response.later;
    return response.later ? response.later() : std::move(response);
  }

  SimulatedRuntime runtime_{{.seed = 1}};
  ReviewingCluster cluster_;
  std::shared_ptr<http::MemoryTransport> transport_ = std::make_shared<http::MemoryTransport>(runtime_, cluster_);
  AccessReviewer reviewer_{runtime_, client_of(transport_), {}};
  EchoPages pages_;
  GuardedPages guard_{pages_, reviewer_};
  bool is_at_once_ = false;
};

TEST_F(GuardedPagesTest, HealthIsForEverybody) {
  EXPECT_EQ(ask("/healthz").body, "page /healthz");
  EXPECT_EQ(ask("/readyz?verbose").body, "page /readyz?verbose");
  EXPECT_TRUE(cluster_.asked.empty());
}

TEST_F(GuardedPagesTest, EverythingElseNeedsAToken) {
  for (const char* target : {"/metrics", "/debug/", "/", "/healthz/", "/%68ealthz/x", "/metrics?a=/healthz"}) {
    for (const char* authorization : {"", "Bearer", "Bearer ", "Basic token-of-jane", "token-of-jane"}) {
      const http::Response refused = ask(target, authorization);
      EXPECT_EQ(refused.status, 401) << target << " " << authorization;
      EXPECT_EQ(refused.headers.get("WWW-Authenticate"), "Bearer");
      EXPECT_EQ(json::parse(refused.body).value().at("reason"), "Unauthorized");
    }
  }
  EXPECT_TRUE(cluster_.asked.empty());
}

TEST_F(GuardedPagesTest, IsSeenByThoseWhoMayAndByNobodyElse) {
  EXPECT_EQ(ask("/metrics?x=y", "Bearer token-of-jane").body, "page /metrics?x=y");
  EXPECT_FALSE(is_at_once_);
  EXPECT_EQ(ask("/metrics", "bearer token-of-jane").status, 200);
  EXPECT_TRUE(is_at_once_);
  EXPECT_EQ(ask("/debug/log-level?level=debug", "Bearer token-of-jane", "POST").status, 200);

  const http::Response refused = ask("/debug/log-level", "Bearer token-of-jane");
  EXPECT_EQ(refused.status, 403);
  EXPECT_EQ(json::parse(refused.body).value().at("message"), "user \"jane\" may not get /debug/log-level");
  EXPECT_EQ(ask("/metrics", "Bearer token-of-jan").status, 401);
}

TEST_F(GuardedPagesTest, IsClosedWhileTheClusterCannotBeAsked) {
  cluster_.is_down = true;
  const http::Response refused = ask("/metrics", "Bearer token-of-jane");
  EXPECT_EQ(refused.status, 503);
  EXPECT_EQ(json::parse(refused.body).value().at("reason"), "ServiceUnavailable");
  EXPECT_EQ(refused.body.find("token-of"), std::string::npos);

  cluster_.is_down = false;
  guard_.stop();
  EXPECT_EQ(ask("/metrics", "Bearer token-of-jane").status, 503);
}

TEST_F(GuardedPagesTest, AThousandJunkTokensDoNotKeepAGoodOneOut) {
  const std::string jwt = "eyJhbGciOi.eyJpc3MiOi.c2lnbmF0dXJl";
  cluster_.users[jwt] = "jane";
  ASSERT_EQ(ask("/metrics", "Bearer token-of-jane").status, 200);
  runtime_.sleep_for(std::chrono::minutes(2));  // the yes is too old by now

  std::vector<http::Response> waiting;
  int refused = 0;
  const auto send = [&](const std::string& token) {
    http::Response response = guard_.handle({.target = "/metrics", .headers = {{"Authorization", "Bearer " + token}}});
    if (response.later) {
      waiting.push_back(std::move(response));
    } else {
      EXPECT_EQ(response.status, 503);
      EXPECT_EQ(response.headers.get("Retry-After"), "1");
      ++refused;
    }
  };
  for (int i = 0; i < 1000; ++i) send("junk-" + std::to_string(i));
  EXPECT_EQ(waiting.size(), static_cast<std::size_t>(GuardedPages::most_odd));
  EXPECT_EQ(refused, 1000 - GuardedPages::most_odd);
  send("token-of-jane");
  send(jwt);
  EXPECT_EQ(refused, 1000 - GuardedPages::most_odd) << "neither of the good ones is turned away";
  for (int i = 0; i < 1000; ++i) send("eyJhbGciOi.eyJpc3MiOi.junk" + std::to_string(i));
  send("token-of-jane");
  EXPECT_EQ(waiting.size(), static_cast<std::size_t>(GuardedPages::most_odd + GuardedPages::most_unknown + 2));
  EXPECT_EQ(waiting.back().later().status, 200);

  waiting.clear();  // as a server does that stops, or is too busy
  EXPECT_EQ(ask("/metrics", "Bearer " + jwt).status, 200);
  send("junk-again");
  EXPECT_EQ(waiting.size(), 1U) << "the room is given back";
  EXPECT_EQ(ask("/metrics", "Bearer " + std::string(100'000, 'x')).status, 401);
}

}  // namespace
}  // namespace pintle
