// SPDX-License-Identifier: Apache-2.0
#include <pintle/patterns/crud/retry.hpp>

#include "test_support.hpp"

namespace pintle::crud {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::SizeIs;

using RetryTest = CrudTest;

constexpr RetryPolicy quick{.backoff = {.base = 1ms}, .max_retries = 3};

// The default policy makes eight attempts with growing delays (T2-20).
TEST_F(RetryTest, TheDefaultIsEightAttemptsWithGrowingDelays) {
  std::vector<double> waits;
  int tries = 0;
  const auto done = retry(
      simulation.executor(), {}, default_retry_policy,
      [&]() -> Result<void> { return ++tries, fail(ErrorCode::unavailable, "no"); },
      [&](const Error&, Duration wait) { return waits.push_back(std::chrono::duration<double>(wait).count()), true; });
  EXPECT_FALSE(done);
  EXPECT_EQ(tries, 8);
  ASSERT_THAT(waits, SizeIs(7));
  double middle = 0.5;
  for (const double wait : waits) {
    EXPECT_GE(wait, middle * 0.5);
    EXPECT_LE(wait, middle * 1.5);
    middle *= 1.5;
  }
}

// No delay is longer than 90 seconds (T2-20).
TEST_F(RetryTest, NoDelayExceedsNinetySeconds) {
  const Backoff& backoff = default_retry_policy.backoff;
  for (const unsigned attempt : {12U, 13U, 40U, 1000000U}) {
    EXPECT_EQ(backoff.delay(attempt, 0), 30s) << attempt;
    EXPECT_LE(backoff.delay(attempt, 0.999999), 90s) << attempt;
    EXPECT_GT(backoff.delay(attempt, 0.999999), 89s) << attempt;
  }
}

TEST_F(RetryTest, RetryAfterOfTheServerIsObserved) {
  Error busy = make_error(ErrorCode::too_many_requests, "busy");
  busy.retry_after = 10s;
  int tries = 0;
  const Instant begun = simulation.executor().now();
  EXPECT_FALSE(retry(simulation.executor(), {}, quick, [&]() -> Result<void> { return ++tries, fail(busy); }));
  EXPECT_EQ(tries, 4);
  EXPECT_EQ(simulation.executor().now() - begun, 30s);
}

// Only the failed operation is retried (T2-31).
TEST_F(RetryTest, OnlyTheFailedOperationIsRetried) {
  on["once.current"] = failing(1);
  on["twice.current"] = failing(2);
  on["late.delete"] = failing(2);
  run_in_reconcile([this](const Object& object, Context& ctx) {
    for (const char* name : {"once", "twice", "late"}) {
      EXPECT_TRUE(recording(name).around(with_retries()).ensure_created(object, ctx)) << name;
    }
  });
  EXPECT_THAT(calls_of("once"),
              ElementsAre("current", "current", "desired", "update_patch", "create", "delete", "update"));
  EXPECT_THAT(calls_of("twice"),
              ElementsAre("current", "current", "current", "desired", "update_patch", "create", "delete", "update"));
  EXPECT_THAT(calls_of("late"),
              ElementsAre("current", "desired", "update_patch", "create", "delete", "delete", "delete", "update"));
  EXPECT_TRUE(log->has("retrying due to error controller=note key=default/a resource=once function=GetCurrentState"));
}

TEST_F(RetryTest, APlainResourceIsRetriedAsAWhole) {
  on["r.deleted"] = failing(2);
  run_in_reconcile([this](const Object& object, Context& ctx) {
    EXPECT_TRUE(plain("r").around(with_retries()).ensure_deleted(object, ctx));
  });
  EXPECT_THAT(calls, ElementsAre("r.deleted", "r.deleted", "r.deleted"));
}

// After the last attempt, its error is returned (T2-32).
TEST_F(RetryTest, TheLastErrorIsReturned) {
  int tries = 0;
  on["r.created"] = [&](Context&) -> Result<void> {
    return fail(ErrorCode::unavailable, "try " + std::to_string(++tries));
  };
  run_in_reconcile([this](const Object& object, Context& ctx) {
    const auto done = plain("r").around(with_retries(quick)).ensure_created(object, ctx);
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().message, "try 4");
  });
}

// By default, the original retried without end and without delays (T2-32).
TEST_F(RetryTest, TheDefaultIsLimited) {
  on["r.created"] = failing(1000000);
  run_in_reconcile([this](const Object& object, Context& ctx) {
    EXPECT_FALSE(plain("r").around(with_retries()).ensure_created(object, ctx));
  });
  EXPECT_THAT(calls, SizeIs(8));
}

// The original continued to retry after the operator was stopped (T2-32).
TEST_F(RetryTest, AStopEndsTheWait) {
  on["r.created"] = failing(1000000);
  const RetryPolicy slow{.backoff = {.base = 1h}};
  run({.name = "notes", .resource_router = router(wrap({plain("r")}, with_retries(slow))), .finalizer = false});
  create(note("a"));
  ASSERT_TRUE(simulation.wait_until([this] { return calls.size() == 1; }));
  const Instant begun = simulation.executor().now();
  instance->stop();
  EXPECT_LT(simulation.executor().now() - begun, 1s);
  EXPECT_THAT(calls, SizeIs(1));
}

TEST_F(RetryTest, TheDeadlineOfAReconcileEndsTheWait) {
  on["r.created"] = failing(1);
  const RetryPolicy slow{.backoff = {.base = 1h}};
  run({.name = "notes",
       .resource_router = router(wrap({plain("r")}, with_retries(slow))),
       .finalizer = false,
       .controller = {.timeout = 10s}});
  create(note("a"));
  ASSERT_TRUE(simulation.wait_until([this] { return calls.size() == 2; }, 1min));
  EXPECT_TRUE(log->has("the reconcile exceeded its timeout of 10s"));
}

TEST_F(RetryTest, TerminalErrorsAndCanceledResourcesAreNotRetried) {
  on["terminal.created"] = failing(5, make_error(ErrorCode::invalid, "never").terminal());
  on["cancels.created"] = [](Context& ctx) -> Result<void> {
    (void)cancel_resource(ctx);
    return fail(ErrorCode::unavailable, "no");
  };
  run_in_reconcile([this](const Object& object, Context& ctx) {
    for (const char* name : {"terminal", "cancels"}) {
      EXPECT_FALSE(plain(name).around(with_retries()).ensure_created(object, ctx));
    }
  });
  EXPECT_THAT(calls, ElementsAre("terminal.created", "cancels.created"));
}

}  // namespace
}  // namespace pintle::crud
