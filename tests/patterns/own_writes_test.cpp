// SPDX-License-Identifier: Apache-2.0
// The watch events of an operator's own writes do not reset its back-off, in any pattern.
#include <tuple>

#include "test_support.hpp"

namespace pintle::every_pattern {
namespace {

using namespace std::chrono_literals;

// Every back-off begins at 5 ms or later and doubles, so an hour has room for 21 attempts; a pattern may add a few
// reconciles of its own, such as the one that adds a finalizer.
constexpr std::size_t max_attempts_an_hour = 26;
constexpr std::size_t max_writes_of_an_attempt = 3;

// The part of the object that each attempt writes with a new value: the status, by a patch for one version; or an
// annotation, by a merge patch for any version.
enum class Writes { status, annotation };

Outcome outage_named(const std::string& text) { return failed(make_error(ErrorCode::unavailable, "failed: " + text)); }
Outcome refusal_named(const std::string& text) {
  return failed(make_error(ErrorCode::invalid, "refused: " + text).terminal());
}

// Each test runs for each pattern, with each kind of write.
class OwnWritesOfEveryPattern : public ::testing::TestWithParam<std::tuple<Pattern, Writes>> {
 protected:
  void TearDown() override { instance.reset(); }  // its reconciles use members of this object

  void run(const Job& job) {
    instance = stage.run(std::get<0>(GetParam()), job);
    instance->transport().set_faults({{.effect = http::Delay{}, .only = [this](const http::Request& request) {
                                         writes += http::is_write(request) ? 1 : 0;
                                         return false;
                                       }}});
  }
  // Runs an operator for an hour whose work on `a` ends with the result of `ends`.
  void work_for_an_hour(std::function<Outcome(const std::string& text)> ends) {
    run({.reconcile = [this, ends = std::move(ends)](const ObjectKey& key, const std::string&, Context& ctx) {
      return attempt(key, ctx, ends);
    }});
    stage.create("a");
    advance_an_hour();
  }
  // Ends earlier if there are far too many attempts.
  void advance_an_hour() {
    stage.simulation.wait_until([&] { return attempts > 10 * max_attempts_an_hour; }, 1h);
  }
  Outcome attempt(const ObjectKey& key, Context& ctx, const std::function<Outcome(const std::string& text)>& ends) {
    const std::string text = "attempt " + std::to_string(++attempts);
    if (std::get<1>(GetParam()) == Writes::status) {
      ctx.status().set("/seen", text);
    } else {
      const json::Value noted{{"metadata", {{"annotations", {{"patterns.dev/attempt", text}}}}}};
      const auto written = ctx.client().patch(widget_kind, key, noted);
      if (!written && written.error().code != ErrorCode::not_found) return failed(written.error());
    }
    return ends(text);
  }

  Stage stage;
  std::unique_ptr<testkit::Instance> instance;
  std::size_t attempts = 0;
  std::size_t writes = 0;
};

// Failures whose text is written to the object back off, although each write causes an event (T0-24).
TEST_P(OwnWritesOfEveryPattern, FailuresThatAreWrittenToTheObjectBackOff) {
  work_for_an_hour(outage_named);
  EXPECT_EQ(attempts, failures_of_an_hour(std::get<0>(GetParam())));
  EXPECT_LE(writes, max_attempts_an_hour * max_writes_of_an_attempt);
}

// The same for an object that is being deleted (T0-24).
TEST_P(OwnWritesOfEveryPattern, ACleanupThatWritesItsFailuresBacksOff) {
  run({.reconcile = [](const ObjectKey&, const std::string&, Context&) -> Outcome { return done; },
       .clean_up = [this](const ObjectKey& key, Context& ctx) { return attempt(key, ctx, outage_named); }});
  stage.create("a");
  ASSERT_TRUE(stage.simulation.run_until_idle());
  stage.remove("a");
  writes = 0;
  advance_an_hour();
  EXPECT_EQ(attempts, failures_of_a_cleanup_of_an_hour(std::get<0>(GetParam())));
  EXPECT_LE(writes, max_attempts_an_hour * max_writes_of_an_attempt);
}

// A permanent failure is not retried, although each attempt writes another text.
TEST_P(OwnWritesOfEveryPattern, AWrittenTerminalErrorIsNotRetried) {
  work_for_an_hour(refusal_named);
  EXPECT_EQ(attempts, 1);
}

TEST_P(OwnWritesOfEveryPattern, WorkThatIsDoneAndWritesEachTimeDoesNotLoop) {
  work_for_an_hour([](const std::string&) -> Outcome { return done; });
  EXPECT_GE(attempts, 1);  // a predicate may drop the confirmations
  EXPECT_LE(attempts, max_attempts_an_hour);
}

// A reconcile that requests a delay and writes each time is called after that delay.
TEST_P(OwnWritesOfEveryPattern, AWriteEachTimeDoesNotShortenARequestedDelay) {
  work_for_an_hour([](const std::string&) -> Outcome { return requeue_after(11min); });
  EXPECT_EQ(attempts, 6);
}

std::string name_of_both(const ::testing::TestParamInfo<std::tuple<Pattern, Writes>>& info) {
  return std::get<0>(info.param).name + (std::get<1>(info.param) == Writes::status ? "_status" : "_annotation");
}

INSTANTIATE_TEST_SUITE_P(All, OwnWritesOfEveryPattern,
                         ::testing::Combine(::testing::ValuesIn(patterns()),
                                            ::testing::Values(Writes::status, Writes::annotation)),
                         name_of_both);

}  // namespace
}  // namespace pintle::every_pattern
