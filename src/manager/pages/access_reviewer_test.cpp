// SPDX-License-Identifier: Apache-2.0
#include "access_reviewer.hpp"

#include <gmock/gmock.h>

#include "controller/test_support.hpp"
#include "review_test_support.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::Not;

class AccessReviewerTest : public ::testing::Test {
 protected:
  AccessReviewerTest() {
    cluster_.users = {{"token-of-jane", "jane"}, {"token-of-john", "john"}};
    cluster_.allowed = {{"jane", "get /metrics"}};
  }

  static Visit visit(const std::string& token, const std::string& path = "/metrics") {
    return {.token = token, .verb = "get", .path = path};
  }
  int send(const Visit& visit) { return reviewer_.check(visit, {}).status; }
  // Returns the cached status, or 0 if there is none.
  int cached_verdict(const Visit& visit) {
    return reviewer_.cached_verdict(visit).value_or(Verdict{.status = 0}).status;
  }

  SimulatedExecutor executor_{{.seed = 1}};
  ReviewingCluster cluster_;
  std::shared_ptr<RecordingLogSink> lines_ = std::make_shared<RecordingLogSink>();
  Log log_{lines_, executor_, LogLevel::debug};
  std::shared_ptr<http::InProcessTransport> transport_ =
      std::make_shared<http::InProcessTransport>(executor_, cluster_);
  AccessReviewer reviewer_{executor_, client_of(transport_, log_), log_, {.limit = 2}};
};

TEST_F(AccessReviewerTest, ReviewsTokenAndAccess) {
  EXPECT_EQ(send(visit("token-of-jane")), 200);

  ASSERT_EQ(cluster_.reviews.size(), 2U);
  EXPECT_EQ(json::print(cluster_.reviews[0].at("spec")), R"({"token":"token-of-jane"})");
  EXPECT_EQ(json::print(cluster_.reviews[1].at("spec")),
            R"({"user":"jane","uid":"u1","groups":["system:authenticated"],"extra":{"pod":["p"]},)"
            R"("nonResourceAttributes":{"path":"/metrics","verb":"get"}})");
}

TEST_F(AccessReviewerTest, ATokenMustBeForTheGivenAudience) {
  AccessReviewer reviewer(executor_, client_of(transport_, log_), log_, {.audience = "pages"});
  const auto check_it = [&](const std::string& token) { return reviewer.check(visit(token), {}).status; };
  EXPECT_EQ(check_it("token-of-jane"), 401) << "a cluster without audiences";
  EXPECT_EQ(json::print(cluster_.reviews[0].at("spec")), R"({"token":"token-of-jane","audiences":["pages"]})");
  executor_.sleep_for(1min);
  cluster_.audiences = {"api", "others"};
  EXPECT_EQ(check_it("token-of-jane"), 401);
  executor_.sleep_for(1min);
  cluster_.audiences = {"api", "pages"};
  EXPECT_EQ(check_it("token-of-jane"), 200);
}

TEST_F(AccessReviewerTest, InvalidTokensDoNotDisplaceAValidOne) {
  send(visit("token-of-jane"));
  executor_.sleep_for(55s);  // the verdict for jane expires before those that follow
  for (int i = 0; i < 100; ++i) send(visit("junk-" + std::to_string(i)));
  EXPECT_EQ(cached_verdict(visit("token-of-jane")), 200);
  EXPECT_EQ(cached_verdict(visit("junk-99")), 401);
  EXPECT_TRUE(reviewer_.is_recent_user(visit("token-of-jane")));
  EXPECT_FALSE(reviewer_.is_recent_user(visit("junk-99")));
  executor_.sleep_for(30min);
  EXPECT_EQ(cached_verdict(visit("token-of-jane")), 0);
  EXPECT_TRUE(reviewer_.is_recent_user(visit("token-of-jane")));
  executor_.sleep_for(31min);
  EXPECT_FALSE(reviewer_.is_recent_user(visit("token-of-jane")));
}

TEST_F(AccessReviewerTest, RefusesUnknownTokensAndMissingPermissions) {
  EXPECT_EQ(send(visit("token-of-nobody")), 401);
  EXPECT_EQ(cluster_.reviews.size(), 1U);
  const Verdict refused = reviewer_.check(visit("token-of-john"), {});
  EXPECT_EQ(refused.status, 403);
  EXPECT_EQ(refused.message, "user \"john\" may not get /metrics");
  EXPECT_EQ(send(visit("token-of-jane", "/debug/")), 403);
}

TEST_F(AccessReviewerTest, RemembersGrantsForAMinuteAndRefusalsForTenSeconds) {
  send(visit("token-of-jane"));
  send(visit("token-of-jane", "/debug/"));
  EXPECT_EQ(cached_verdict(visit("token-of-jane")), 200);
  EXPECT_EQ(cached_verdict(visit("token-of-jane", "/debug/")), 403);
  EXPECT_EQ(cluster_.reviews.size(), 3U);  // the user of the token was cached

  executor_.sleep_for(10s);
  EXPECT_EQ(cached_verdict(visit("token-of-jane")), 200);
  EXPECT_EQ(cached_verdict(visit("token-of-jane", "/debug/")), 0);

  executor_.sleep_for(50s);
  EXPECT_EQ(cached_verdict(visit("token-of-jane")), 0);
  cluster_.users.clear();
  EXPECT_EQ(send(visit("token-of-jane")), 401);
  EXPECT_EQ(cached_verdict(visit("token-of-jane")), 401);
  executor_.sleep_for(10s);
  EXPECT_EQ(cached_verdict(visit("token-of-jane")), 0);
}

TEST_F(AccessReviewerTest, RemembersEachTokenVerbAndPathSeparately) {
  send(visit("token-of-jane"));
  EXPECT_EQ(cached_verdict(visit("token-of-john")), 0);
  EXPECT_EQ(cached_verdict(visit("token-of-jane", "/metrics/")), 0);
  EXPECT_EQ(cached_verdict({.token = "token-of-jane", .verb = "post", .path = "/metrics"}), 0);
}

TEST_F(AccessReviewerTest, LimitsTheRememberedTokens) {
  for (const char* token : {"a", "b", "c"}) {
    EXPECT_EQ(send(visit(token)), 401);
    executor_.sleep_for(1s);
  }
  EXPECT_EQ(cached_verdict(visit("a")), 0);
  EXPECT_EQ(cached_verdict(visit("b")), 401);
  EXPECT_EQ(cached_verdict(visit("c")), 401);
}

TEST_F(AccessReviewerTest, RefusesAllWhileTheClusterIsUnavailable) {
  cluster_.is_down = true;
  for (int i = 0; i < 3; ++i) EXPECT_EQ(send(visit("token-of-jane")), 503);
  EXPECT_EQ(cached_verdict(visit("token-of-jane")), 0);
  EXPECT_EQ(lines_->count("cannot check the access to pages"), 1U);

  cluster_.is_down = false;
  EXPECT_EQ(send(visit("token-of-jane")), 200);
  cluster_.is_down = true;
  EXPECT_EQ(send(visit("token-of-john")), 503);
  EXPECT_EQ(lines_->count("cannot check the access to pages"), 2U);
  for (const std::string& line : lines_->lines()) EXPECT_THAT(line, Not(HasSubstr("token-of-"))) << line;
}

TEST_F(AccessReviewerTest, AStopEndsAReview) {
  std::stop_source stop;
  stop.request_stop();
  EXPECT_EQ(reviewer_.check(visit("token-of-jane"), stop.get_token()).status, 503);
  EXPECT_TRUE(lines_->lines().empty());
}

}  // namespace
}  // namespace pintle
