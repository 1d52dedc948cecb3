// SPDX-License-Identifier: Apache-2.0
#include "guarded_pages.hpp"

#include <atomic>
#include <chrono>
#include <functional>
#include <vector>

#include <gtest/gtest.h>

#include <pintle/http/transport.hpp>
#include <pintle/sim/simulated_executor.hpp>

#include "review_test_support.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;

class EchoPages final : public http::Handler {
 public:
  http::Response handle(const http::Request& request) override {
    if (request.target.ends_with("?slow")) return {.deferred = [] { return http::Response{.body = "slow page"}; }};
    return {.body = "page " + request.target};
  }
};

class GuardedPagesTest : public ::testing::Test {
 protected:
  GuardedPagesTest() {
    cluster_.users = {{"token-of-jane", "jane"}};
    cluster_.allowed = {{"jane", "get /metrics"}, {"jane", "post /debug/log-level"}};
  }

  // Returns the response of the guard, also if it is computed later.
  http::Response send(const std::string& target, const std::string& authorization = "", std::string method = "GET") {
    http::Request request{.method = std::move(method), .target = target};
    if (!authorization.empty()) request.headers.set("Authorization", authorization);
    http::Response response = guard_.handle(request);
    is_at_once_ = !response.deferred;
    return response.deferred ? response.deferred() : std::move(response);
  }

  SimulatedExecutor executor_{{.seed = 1}};
  ReviewingCluster cluster_;
  std::shared_ptr<http::InProcessTransport> transport_ =
      std::make_shared<http::InProcessTransport>(executor_, cluster_);
  AccessReviewer reviewer_{executor_, client_of(transport_), {}};
  EchoPages pages_;
  GuardedPages guard_{pages_, reviewer_};
  bool is_at_once_ = false;
};

TEST_F(GuardedPagesTest, HealthNeedsNoToken) {
  EXPECT_EQ(send("/healthz").body, "page /healthz");
  EXPECT_EQ(send("/readyz?verbose").body, "page /readyz?verbose");
  EXPECT_TRUE(cluster_.reviews.empty());
}

TEST_F(GuardedPagesTest, TheFilesOfTheConsoleNeedNoToken) {
  EXPECT_EQ(send("/").body, "page /");
  EXPECT_EQ(send("/console/main.js").body, "page /console/main.js");
}

TEST_F(GuardedPagesTest, AllOtherPagesNeedAToken) {
  for (const char* target : {"/metrics", "/debug/", "/console", "/healthz/", "/%68ealthz/x", "/metrics?a=/healthz"}) {
    for (const char* authorization : {"", "Bearer", "Bearer ", "Basic token-of-jane", "token-of-jane"}) {
      const http::Response refused = send(target, authorization);
      EXPECT_EQ(refused.status, 401) << target << " " << authorization;
      EXPECT_EQ(refused.headers.get("WWW-Authenticate"), "Bearer");
      EXPECT_EQ(json::parse(refused.body).value().at("reason"), "Unauthorized");
    }
  }
  EXPECT_TRUE(cluster_.reviews.empty());
}

TEST_F(GuardedPagesTest, PagesNeedAPermission) {
  EXPECT_EQ(send("/metrics?x=y", "Bearer token-of-jane").body, "page /metrics?x=y");
  EXPECT_FALSE(is_at_once_);
  EXPECT_EQ(send("/metrics", "bearer token-of-jane").status, 200);
  EXPECT_TRUE(is_at_once_);
  EXPECT_EQ(send("/debug/log-level?level=debug", "Bearer token-of-jane", "POST").status, 200);

  const http::Response refused = send("/debug/log-level", "Bearer token-of-jane");
  EXPECT_EQ(refused.status, 403);
  EXPECT_EQ(json::parse(refused.body).value().at("message"), "user \"jane\" may not get /debug/log-level");
  EXPECT_EQ(send("/metrics", "Bearer token-of-jan").status, 401);
}

// The proxy of an API server removes the header Authorization.
TEST_F(GuardedPagesTest, ATokenMayBeInAnotherHeader) {
  http::Request request{.target = "/metrics", .headers = {{"X-Pintle-Authorization", "Bearer token-of-jane"}}};
  http::Response response = guard_.handle(request);
  ASSERT_TRUE(response.deferred);
  EXPECT_EQ(response.deferred().status, 200);
  request.headers = {{"Authorization", "Bearer other"}, {"X-Pintle-Authorization", "Bearer token-of-jane"}};
  EXPECT_EQ(guard_.handle(request).deferred().status, 401) << "the usual header takes precedence";
}

TEST_F(GuardedPagesTest, APageMayTakeItsTime) {
  EXPECT_EQ(send("/debug/log-level?slow", "Bearer token-of-jane", "POST").body, "slow page");
  EXPECT_EQ(send("/debug/log-level?slow", "Bearer token-of-jane", "POST").body, "slow page") << "after the review";
}

TEST_F(GuardedPagesTest, PagesAreClosedWhileTheClusterIsUnavailable) {
  cluster_.is_down = true;
  const http::Response refused = send("/metrics", "Bearer token-of-jane");
  EXPECT_EQ(refused.status, 503);
  EXPECT_EQ(json::parse(refused.body).value().at("reason"), "ServiceUnavailable");
  EXPECT_EQ(refused.body.find("token-of"), std::string::npos);

  cluster_.is_down = false;
  guard_.stop();
  EXPECT_EQ(send("/metrics", "Bearer token-of-jane").status, 503);
}

TEST_F(GuardedPagesTest, ATooLongTokenIsRefusedWithoutAReview) {
  EXPECT_EQ(send("/metrics", "Bearer " + std::string(100'000, 'x')).status, 401);
  EXPECT_TRUE(cluster_.reviews.empty());
}

// The pages behind a server with two threads, and a cluster whose response to each review takes 100 ms.
class GuardedPagesFloodTest : public ::testing::Test {
 protected:
  struct TimedStatus {
    int status = 0;
    Duration took{};
  };

  GuardedPagesFloodTest() {
    cluster_.allowed = {{"jane", "get /metrics"}};
    for (const char* token : {"eyJhbGciOi.eyJpc3MiOi.good", "opaque-good"}) cluster_.users[token] = "jane";
  }

  static std::string junk_jwt(int i) { return "eyJhbGciOi.eyJpc3MiOi.junk" + std::to_string(i); }

  TimedStatus send(const std::string& address, const std::string& token, const std::string& path = "/metrics") {
    const Instant begun = executor_.now();
    const auto response = http::send(
        front_,
        {.target = path, .headers = {{"Authorization", "Bearer " + token}}, .timeout = 10min, .peer_address = address});
    return {response ? response->status : 0, executor_.now() - begun};
  }
  // Starts peers that send junk, wait for the response and send the next one, until the test ends.
  void flood(int peers, const std::function<std::string(int)>& address_of,
             const std::function<std::string(int)>& junk = junk_jwt) {
    for (int peer = 0; peer < peers; ++peer) {
      flood_.push_back(executor_.spawn({.name = "junk-" + std::to_string(peer)}, [=, this] {
        while (!over_) {
          const TimedStatus reply = send(address_of(peer), junk(++sent_));
          if (reply.status == 503) executor_.sleep_for(10ms);
        }
      }));
    }
    executor_.sleep_for(10s);
  }
  void TearDown() override {
    over_ = true;
    guard_.stop();
    front_.stop();
    for (Thread& thread : flood_) thread.join();
  }

  SimulatedExecutor executor_{{.seed = 1}};
  ReviewingCluster cluster_;
  std::shared_ptr<http::InProcessTransport> transport_ =
      std::make_shared<http::InProcessTransport>(executor_, cluster_, http::FaultPlan{{.effect = http::Delay{100ms}}});
  AccessReviewer reviewer_{executor_, client_of(transport_), {}};
  EchoPages pages_;
  GuardedPages guard_{pages_, reviewer_};
  http::InProcessTransport front_{executor_, guard_};
  std::vector<Thread> flood_;
  std::atomic<bool> over_ = false;
  std::atomic<int> sent_ = 0;
};

TEST_F(GuardedPagesFloodTest, InvalidTokensOfOneAddressDoNotDelayAnother) {
  flood(300, [](int) { return "10.0.0.1"; });
  const TimedStatus good = send("10.0.0.2", "eyJhbGciOi.eyJpc3MiOi.good");
  EXPECT_EQ(good.status, 200);
  EXPECT_LE(good.took, 500ms) << "two reviews, and at most one for the flood";
}

TEST_F(GuardedPagesFloodTest, InvalidTokensOfManyAddressesDelayANewOneByAReviewEach) {
  flood(300, [](int peer) { return "10.0.0." + std::to_string(peer % 100); });
  const TimedStatus good = send("10.0.1.1", "eyJhbGciOi.eyJpc3MiOi.good");
  EXPECT_EQ(good.status, 200);
  EXPECT_LE(good.took, 6s) << "100 reviews of 100 ms on two threads";
}

TEST_F(GuardedPagesFloodTest, OneNetworkOfIPv6IsOneAddress) {
  flood(300, [](int peer) { return "2001:db8::" + std::to_string(peer); });
  const TimedStatus good = send("2001:db8:0:1::1", "eyJhbGciOi.eyJpc3MiOi.good");
  EXPECT_EQ(good.status, 200);
  EXPECT_LE(good.took, 500ms);
}

TEST_F(GuardedPagesFloodTest, BehindOneProxyANewTokenWaitsForEarlierOnes) {
  flood(100, [](int) { return "10.0.0.1"; });
  const TimedStatus good = send("10.0.0.1", "eyJhbGciOi.eyJpc3MiOi.good");
  EXPECT_EQ(good.status, 200);
  EXPECT_LE(good.took, 11s) << "100 reviews of 100 ms on the one thread for an address";
}

TEST_F(GuardedPagesFloodTest, InvalidTokensOfAnotherFormDoNotDelayAWebToken) {
  flood(
      300, [](int) { return "10.0.0.1"; }, [](int i) { return "junk-" + std::to_string(i); });
  const TimedStatus good = send("10.0.0.1", "eyJhbGciOi.eyJpc3MiOi.good");
  EXPECT_EQ(good.status, 200);
  EXPECT_LE(good.took, 600ms);
}

TEST_F(GuardedPagesFloodTest, AFullQueueOfOneAddressDoesNotBlockAnother) {
  flood(static_cast<int>(http::max_queued_responses) + 100, [](int) { return "10.0.0.1"; });
  EXPECT_EQ(send("10.0.0.1", "eyJhbGciOi.eyJpc3MiOi.good").status, 503) << "this address has used its share";
  const TimedStatus good = send("10.0.0.2", "opaque-good");
  EXPECT_EQ(good.status, 200);
  EXPECT_LE(good.took, 500ms);
}

TEST_F(GuardedPagesFloodTest, AKnownTokenGoesFirst) {
  ASSERT_EQ(send("10.0.0.1", "opaque-good").status, 200);
  EXPECT_EQ(send("10.0.0.1", "opaque-good").took, 0s);
  executor_.sleep_for(2min);  // the verdict has expired by now
  flood(300, [](int peer) { return "10.0.0." + std::to_string(peer % 100); });
  TimedStatus good = send("10.0.0.1", "opaque-good");
  EXPECT_EQ(good.status, 200);
  EXPECT_LE(good.took, 500ms);
  good = send("10.0.0.1", "opaque-good");
  EXPECT_EQ(good.status, 200);
  EXPECT_EQ(good.took, 0s) << "its result is cached, so it does not wait";
}

// A user with a valid token can request many pages.
TEST_F(GuardedPagesFloodTest, AKnownTokenDoesNotBlockANewOne) {
  ASSERT_EQ(send("10.0.0.1", "opaque-good").status, 200);
  for (int peer = 0; peer < 50; ++peer) {
    flood_.push_back(executor_.spawn({.name = "many-" + std::to_string(peer)}, [this] {
      while (!over_) (void)send("10.0.0.1", "opaque-good", "/page" + std::to_string(++sent_));
    }));
  }
  executor_.sleep_for(10s);
  const TimedStatus good = send("10.0.0.1", "eyJhbGciOi.eyJpc3MiOi.good");
  EXPECT_EQ(good.status, 200);
  EXPECT_LE(good.took, 500ms);
}

TEST_F(GuardedPagesFloodTest, ConcurrentRequestsWithOneTokenAreReviewedOnce) {
  for (int peer = 0; peer < 50; ++peer) {
    flood_.push_back(executor_.spawn({.name = "same-" + std::to_string(peer)},
                                     [this] { EXPECT_EQ(send("10.0.0.1", "opaque-good").status, 200); }));
  }
  executor_.sleep_for(1min);
  EXPECT_EQ(cluster_.reviews.size(), 2U);
}

}  // namespace
}  // namespace pintle
