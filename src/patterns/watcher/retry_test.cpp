// SPDX-License-Identifier: Apache-2.0
#include <pintle/patterns/watcher/retry.hpp>

#include <gtest/gtest.h>

#include <pintle/json/value.hpp>

namespace pintle::watcher {
namespace {

using namespace std::chrono_literals;

const Error error = make_error(ErrorCode::unavailable, "not now");

Object of_generation(int generation) { return Object(json::Value{{"metadata", {{"generation", generation}}}}); }

// The default policy makes six retries with doubling delays (T4-06).
TEST(RetryPolicy, TheDefaultRetriesSixTimesWithDoublingDelays) {
  const RetryPolicy policy = default_retry_policy();
  const Duration expected[] = {5s, 10s, 20s, 40s, 80s, 160s};
  for (unsigned attempt = 0; attempt < 6; ++attempt) EXPECT_EQ(policy(error, attempt), expected[attempt]) << attempt;
  EXPECT_EQ(policy(error, 6), std::nullopt);
}

TEST(RetryPolicy, ALinearOneKeepsItsDelay) {
  const RetryPolicy policy = linear_retry_policy(500ms, 2);
  EXPECT_EQ(policy(error, 0), 500ms);
  EXPECT_EQ(policy(error, 2), 500ms);
  EXPECT_EQ(policy(error, 3), std::nullopt);
}

TEST(RetryPolicy, AnExponentialOneDoesNotOverflow) {
  EXPECT_GT(*exponential_backoff_retry_policy(1h, 1000)(error, 1000), 24h * 365 * 100);
}

// The opinionated policy compares the actions and the generations (T4-11).
TEST(RetryDequeuePolicy, TheOpinionatedOneComparesActionAndGeneration) {
  const auto drops = [](ResourceAction fresh, const Object& object, ResourceAction retry, const Object& retried) {
    return opinionated_retry_dequeue_policy({.new_action = fresh,
                                             .new_object = object,
                                             .retry_action = retry,
                                             .retry_object = retried,
                                             .retry_error = &error});
  };
  using enum ResourceAction;
  const Object one = of_generation(1);
  const Object two = of_generation(2);
  for (const ResourceAction any : {create, update, delete_}) EXPECT_TRUE(drops(delete_, one, any, one));
  EXPECT_TRUE(drops(delete_, Object(), create, Object()));
  EXPECT_FALSE(drops(update, two, create, one));
  EXPECT_FALSE(drops(update, Object(), create, Object()));
  EXPECT_FALSE(drops(update, one, update, one));
  EXPECT_TRUE(drops(update, two, update, one));
}

}  // namespace
}  // namespace pintle::watcher
