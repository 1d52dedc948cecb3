// SPDX-License-Identifier: Apache-2.0
#include "renewal.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "client/test_support.hpp"

namespace pintle {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;
using ::testing::HasSubstr;

// The credential "N" for the N-th call, or an error.
class RenewalTest : public ::testing::Test {
 protected:
  Result<ObtainedCredential> obtain(std::stop_token stop) {
    ++calls_;
    if (!executor_.sleep_for(takes_, std::move(stop))) return fail(ErrorCode::cancelled, "stopped");
    if (is_broken_) return fail(ErrorCode::unavailable, "broken");
    return ObtainedCredential{.token = std::to_string(calls_),
                              .expires = lifetime_ ? std::optional(executor_.wall_now() + *lifetime_) : std::nullopt};
  }
  std::string token() {
    const auto credential = renewal_->get({});
    return credential ? (*credential)->token : credential.error().message;
  }

  SimulatedExecutor executor_;
  int calls_ = 0;
  Duration takes_ = milliseconds(100);
  std::optional<Duration> lifetime_;
  bool is_broken_ = false;
  std::unique_ptr<Renewal> renewal_ =
      std::make_unique<Renewal>(executor_, "credentials", [this](std::stop_token stop) { return obtain(stop); });
};

TEST_F(RenewalTest, KeepsACredentialWithoutExpiryForEver) {
  EXPECT_EQ(token(), "1");
  executor_.sleep_for(hours(1000));
  EXPECT_EQ(token(), "1");
  EXPECT_EQ(calls_, 1);
}

// No caller waits for the renewal of a credential that is still valid.
TEST_F(RenewalTest, RenewsBeforeTheExpiryWithoutDelayingCallers) {
  lifetime_ = minutes(10);
  EXPECT_EQ(token(), "1");
  executor_.sleep_for(minutes(9) - seconds(1));
  EXPECT_EQ(token(), "1");
  EXPECT_EQ(calls_, 1);

  executor_.sleep_for(seconds(2));  // in the last minute of ten
  const Instant begun = executor_.now();
  EXPECT_EQ(token(), "1");
  EXPECT_EQ(executor_.now(), begun);
  executor_.sleep_for(seconds(1));

  EXPECT_EQ(token(), "2");
  EXPECT_EQ(calls_, 2);
}

TEST_F(RenewalTest, WaitsForANewCredentialAfterTheExpiry) {
  lifetime_ = minutes(10);
  EXPECT_EQ(token(), "1");
  executor_.sleep_for(hours(1));

  EXPECT_EQ(token(), "2");
}

TEST_F(RenewalTest, ObtainsOnceForAllWaitingThreads) {
  std::vector<Thread> threads;
  std::vector<std::string> tokens(8);
  for (auto& own : tokens) threads.push_back(executor_.spawn({.name = "worker"}, [this, &own] { own = token(); }));
  threads.clear();

  EXPECT_THAT(tokens, ::testing::Each("1"));
  EXPECT_EQ(calls_, 1);
}

TEST_F(RenewalTest, RenewsOnceAfterARejection) {
  EXPECT_EQ(token(), "1");
  const Instant sent = executor_.now();

  renewal_->reject(sent);
  renewal_->reject(sent);

  EXPECT_EQ(token(), "2");
  renewal_->reject(sent);  // by a response to an older request
  EXPECT_EQ(token(), "2");
  EXPECT_EQ(calls_, 2);
}

// Ten requests a second need a credential, and each credential is rejected.
TEST_F(RenewalTest, IsBoundedIfEveryCredentialIsRejected) {
  takes_ = {};
  for (const Instant end = after(executor_.now(), hours(1)); executor_.now() < end;) {
    EXPECT_THAT(token(), ::testing::Not(HasSubstr("broken")));
    renewal_->reject(executor_.now());
    executor_.sleep_for(milliseconds(100));
  }

  EXPECT_GE(calls_, 10);
  EXPECT_LE(calls_, 22);
}

TEST_F(RenewalTest, IsBoundedIfEveryCallFails) {
  takes_ = {};
  is_broken_ = true;
  for (const Instant end = after(executor_.now(), hours(1)); executor_.now() < end;) {
    EXPECT_THAT(token(), HasSubstr("broken"));
    executor_.sleep_for(milliseconds(100));
  }

  EXPECT_GE(calls_, 10);
  EXPECT_LE(calls_, 21);
}

TEST_F(RenewalTest, IsBoundedIfEveryCredentialHasExpiredAlready) {
  takes_ = {};
  lifetime_ = -minutes(1);
  for (const Instant end = after(executor_.now(), hours(1)); executor_.now() < end;) {
    const std::string sent = token();  // the clock of this machine may be wrong
    EXPECT_EQ(sent, std::to_string(calls_));
    executor_.sleep_for(milliseconds(100));
  }

  EXPECT_LE(calls_, 21);
}

TEST_F(RenewalTest, SaysWhenItTriesAgain) {
  is_broken_ = true;
  EXPECT_EQ(token(), "broken; it is tried again in 1s");
  EXPECT_EQ(calls_, 1);

  is_broken_ = false;
  EXPECT_THAT(token(), HasSubstr("broken"));
  executor_.sleep_for(seconds(1));
  EXPECT_EQ(token(), "2");
}

TEST_F(RenewalTest, KeepsAValidCredentialWhileItsRenewalFails) {
  lifetime_ = minutes(10);
  EXPECT_EQ(token(), "1");
  is_broken_ = true;
  executor_.sleep_for(minutes(9) + seconds(30));

  EXPECT_EQ(token(), "1");
  executor_.sleep_for(seconds(5));
  EXPECT_EQ(calls_, 2);
  EXPECT_EQ(token(), "1");
  executor_.sleep_for(minutes(1));
  EXPECT_THAT(token(), HasSubstr("broken"));
}

TEST_F(RenewalTest, LeavesAWaitAtAStop) {
  takes_ = hours(1);
  std::stop_source stop;
  Thread stopper = executor_.spawn({.name = "stopper"}, [&] {
    executor_.sleep_for(seconds(1));
    stop.request_stop();
  });
  const Instant begun = executor_.now();

  EXPECT_EQ(renewal_->get(stop.get_token()).error().code, ErrorCode::cancelled);
  EXPECT_EQ(executor_.now() - begun, seconds(1));
}

TEST_F(RenewalTest, DoesNotBlockAThreadThatMustNotBlock) {
  std::vector<std::string> results;
  const auto look = [&] {
    executor_.spawn({.name = "dispatcher", .may_block = false}, [&] { results.push_back(token()); }).join();
  };

  look();
  executor_.sleep_for(seconds(1));
  look();

  EXPECT_THAT(results, ::testing::ElementsAre(HasSubstr("thread \"dispatcher\" must not block"), "1"));
}

TEST_F(RenewalTest, CallsAReceiverInsteadOfWaiting) {
  std::vector<std::string> received;
  const auto receive = [&](const Result<Renewal::Credential>& one) {
    received.push_back(one ? (*one)->token : one.error().message);
  };

  EXPECT_FALSE(renewal_->try_get(receive));
  executor_.sleep_for(seconds(1));

  EXPECT_THAT(received, ::testing::ElementsAre("1"));
  EXPECT_TRUE(renewal_->try_get(receive));
  executor_.sleep_for(seconds(1));
  EXPECT_EQ(received.size(), 1U);
}

TEST_F(RenewalTest, EndsACallWhenItIsDestroyed) {
  takes_ = hours(1);
  ErrorCode code = ErrorCode::unknown;
  EXPECT_FALSE(renewal_->try_get([&](const Result<Renewal::Credential>& one) { code = one.error().code; }));
  executor_.sleep_for(seconds(1));
  const Instant begun = executor_.now();

  renewal_.reset();

  EXPECT_EQ(code, ErrorCode::cancelled);
  EXPECT_EQ(executor_.now(), begun);
}

}  // namespace
}  // namespace pintle
