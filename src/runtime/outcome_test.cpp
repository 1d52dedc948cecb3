#include <pintle/runtime/outcome.hpp>

#include <string>

#include <gtest/gtest.h>

namespace pintle {
namespace {

using namespace std::chrono_literals;

// Where the value says something that would be lost, there is no conversion.
static_assert(std::is_convertible_v<Result<int>, Outcome>);
static_assert(std::is_convertible_v<Result<void>, Outcome>);
static_assert(!std::is_convertible_v<Result<bool>, Outcome>);
static_assert(!std::is_convertible_v<Result<Outcome>, Outcome>);
static_assert(!std::is_convertible_v<bool, Outcome>);
static_assert(!std::is_convertible_v<Duration, Outcome>);

TEST(Outcome, IsASumOfFour) {
  EXPECT_TRUE(Outcome(settled).is_settled());
  EXPECT_TRUE(Outcome(look_again).is_look_again());
  EXPECT_EQ(Outcome(look_again_in(5s)).as_look_again_in()->delay, 5s);
  EXPECT_EQ(failed(make_error(ErrorCode::conflict, "no")).as_failed()->code, ErrorCode::conflict);
}

TEST(Outcome, TakesAResultForItsError) {
  EXPECT_TRUE(Outcome(Result<int>(3)).is_settled());
  EXPECT_EQ(Outcome(Result<int>(fail(ErrorCode::invalid, "bad"))).as_failed()->message, "bad");
  const auto pass = []() -> Outcome { return fail(ErrorCode::timeout, "late"); };
  EXPECT_EQ(pass().as_failed()->code, ErrorCode::timeout);
}

TEST(Outcome, HasTheLabelsOfControllerRuntime) {
  EXPECT_EQ(metric_label(settled), "success");
  EXPECT_EQ(metric_label(look_again), "requeue");
  EXPECT_EQ(metric_label(look_again_in(1s)), "requeue_after");
  EXPECT_EQ(metric_label(failed({})), "error");
}

}  // namespace
}  // namespace pintle
