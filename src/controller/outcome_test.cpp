// SPDX-License-Identifier: Apache-2.0
#include <pintle/controller/outcome.hpp>

#include <string>

#include <gtest/gtest.h>

namespace pintle {
namespace {

using namespace std::chrono_literals;

// A result whose value has a meaning does not convert, because the value would be lost.
static_assert(std::is_convertible_v<Result<int>, Outcome>);
static_assert(std::is_convertible_v<Result<void>, Outcome>);
static_assert(!std::is_convertible_v<Result<bool>, Outcome>);
static_assert(!std::is_convertible_v<Result<Outcome>, Outcome>);
static_assert(!std::is_convertible_v<bool, Outcome>);
static_assert(!std::is_convertible_v<Duration, Outcome>);

TEST(Outcome, HasFourAlternatives) {
  EXPECT_TRUE(Outcome(done).is_done());
  EXPECT_TRUE(Outcome(requeue).is_requeue());
  EXPECT_EQ(Outcome(requeue_after(5s)).as_requeue_after()->delay, 5s);
  EXPECT_EQ(failed(make_error(ErrorCode::conflict, "no")).as_failed()->code, ErrorCode::conflict);
}

TEST(Outcome, ConvertsFromAResult) {
  EXPECT_TRUE(Outcome(Result<int>(3)).is_done());
  EXPECT_EQ(Outcome(Result<int>(fail(ErrorCode::invalid, "bad"))).as_failed()->message, "bad");
  const auto function = []() -> Outcome { return fail(ErrorCode::timeout, "late"); };
  EXPECT_EQ(function().as_failed()->code, ErrorCode::timeout);
}

std::string text(const Outcome& outcome) {
  if (const Error* error = outcome.as_failed()) return error->to_string();
  if (const RequeueAfter* again = outcome.as_requeue_after()) return std::to_string(again->delay / 1s) + "s";
  return outcome.is_done() ? "done" : "again";
}

TEST(Outcome, MergesToTheMoreUrgent) {
  const Outcome bad = failed(make_error(ErrorCode::invalid, "bad"));
  const struct {
    Outcome first, second;
    std::string expected;
  } cases[] = {
      {done, done, "done"},
      {done, requeue, "again"},
      {requeue, requeue_after(5s), "5s"},
      {requeue_after(5s), done, "5s"},
      {requeue_after(5s), requeue_after(3s), "3s"},
      {requeue_after(5s), requeue_after(0s), "0s"},
      {requeue_after(0s), bad, "bad"},
      {requeue, bad, "bad"},
      {done, bad, "bad"},
  };
  for (const auto& one : cases) {
    EXPECT_EQ(text(merge(one.first, one.second)), one.expected) << text(one.first) << ", " << text(one.second);
    EXPECT_EQ(text(merge(one.second, one.first)), one.expected) << text(one.second) << ", " << text(one.first);
  }
}

TEST(Outcome, MergesTwoFailuresIntoOne) {
  Error slow = make_error(ErrorCode::too_many_requests, "slow down");
  slow.retry_after = 7s;
  const Outcome one_terminal = merge(failed(make_error(ErrorCode::invalid, "bad").terminal()), failed(slow));
  ASSERT_NE(one_terminal.as_failed(), nullptr);
  EXPECT_EQ(one_terminal.as_failed()->message, "bad; and slow down");
  EXPECT_EQ(one_terminal.as_failed()->code, ErrorCode::invalid);
  EXPECT_EQ(one_terminal.as_failed()->retry_after, 7s);
  EXPECT_FALSE(one_terminal.as_failed()->is_terminal) << "a retry may help with the other error";
  const Outcome both_terminal =
      merge(failed(make_error(ErrorCode::invalid, "bad").terminal()), failed(slow.terminal()));
  EXPECT_TRUE(both_terminal.as_failed()->is_terminal);
}

TEST(Outcome, HasTheLabelsOfControllerRuntime) {
  EXPECT_EQ(metric_label(done), "success");
  EXPECT_EQ(metric_label(requeue), "requeue");
  EXPECT_EQ(metric_label(requeue_after(1s)), "requeue_after");
  EXPECT_EQ(metric_label(failed({})), "error");
}

}  // namespace
}  // namespace pintle
