// SPDX-License-Identifier: Apache-2.0
#include <pintle/controller/sub_handlers.hpp>

#include <gmock/gmock.h>

#include "test_support.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// A controller whose sub-handlers are the words of the text of a note.
class SubHandlersTest : public OperatorTest {
 protected:
  using Behaviour = std::function<Outcome(const std::string& id, int call)>;

  void begin(Behaviour behaviour, SubHandlerOptions options = {.backoff = {.base = 10s, .factor = 2, .cap = 1min}},
             std::string version = {}) {
    run({.reconcile = [this, behaviour, options, version](const Note& n, Context& ctx) -> Outcome {
      ++reconciles;
      SubHandlers parts(ctx, {.version = version});
      std::istringstream words(n.spec.text);
      for (std::string word; words >> word;) {
        parts.add(
            word,
            [this, behaviour, word](Context& context) -> Outcome {
              calls.push_back(word);
              at[word].push_back(context.executor().now());
              return behaviour(word, ++count[word]);
            },
            options);
      }
      last = parts.run();
      return last;
    }});
  }
  void pass(Duration time) { simulation.executor().sleep_for(time); }
  [[nodiscard]] std::string progress() {
    return std::string(
        simulation.user().get(Note::type, {"default", "a"})->annotation("pintle.dev/progress.test-operator.note"));
  }

  int reconciles = 0;
  std::vector<std::string> calls;
  std::map<std::string, int> count;
  std::map<std::string, std::vector<Instant>> at;
  Outcome last = done;
};

TEST_F(SubHandlersTest, OnlyTheOneThatFailedIsRetriedAndTheParentWaitsForIt) {
  begin([](const std::string& id, int call) -> Outcome {
    if (id == "bad" && call < 3) return make_error(ErrorCode::unavailable, "not yet");
    return done;
  });
  create(note("a", "one bad two"));
  pass(1s);
  EXPECT_THAT(calls, ElementsAre("one", "bad", "two")) << "a failure does not prevent the others";
  ASSERT_NE(last.as_requeue_after(), nullptr);
  EXPECT_THAT(progress(), HasSubstr(R"("done":["one","two"])"));
  EXPECT_THAT(progress(), HasSubstr("not yet"));
  pass(1h);
  EXPECT_THAT(calls, ElementsAre("one", "bad", "two", "bad", "bad"));
  ASSERT_EQ(at["bad"].size(), 3U);
  EXPECT_GE(at["bad"][1] - at["bad"][0], 10s);
  EXPECT_GE(at["bad"][2] - at["bad"][1], 20s);
  EXPECT_LT(at["bad"][2] - at["bad"][1], 21s);
  EXPECT_TRUE(last.is_done());
  EXPECT_EQ(log->count("a sub-handler failed"), 2U);
}

TEST_F(SubHandlersTest, ARestartRepeatsNothingThatIsDoneAndKeepsTheTimesOfRetries) {
  const auto behaviour = [](const std::string& id, int) -> Outcome {
    if (id == "bad") return make_error(ErrorCode::unavailable, "no");
    return done;
  };
  begin(behaviour, {.backoff = {.base = 10min, .factor = 2, .cap = 1h}});
  create(note("a", "one bad"));
  pass(1min);
  instance.reset();
  calls.clear();
  begin(behaviour, {.backoff = {.base = 10min, .factor = 2, .cap = 1h}});
  pass(8min);
  EXPECT_THAT(calls, IsEmpty());
  pass(2min);
  EXPECT_THAT(calls, ElementsAre("bad"));
  pass(17min);
  EXPECT_EQ(calls.size(), 1U) << "the number of failures is kept too";
  pass(5min);
  EXPECT_EQ(calls.size(), 2U);
}

TEST_F(SubHandlersTest, ANewGenerationRunsThemAgainAndOtherChangesDoNot) {
  begin([](const std::string&, int) -> Outcome { return done; });
  create(note("a", "one two"));
  pass(1s);
  ASSERT_TRUE(
      simulation.user().patch(Note::type, {"default", "a"}, json::Value{{"metadata", {{"labels", {{"x", "y"}}}}}}));
  pass(1s);
  EXPECT_EQ(reconciles, 3) << "the object, the progress, the label";
  EXPECT_THAT(calls, ElementsAre("one", "two"));
  set_text("a", "two three");
  pass(1s);
  EXPECT_THAT(calls, ElementsAre("one", "two", "two", "three"));
  EXPECT_THAT(progress(), HasSubstr(R"("done":["three","two"])"));
  const std::string version(simulation.user().get(Note::type, {"default", "a"})->resource_version());
  pass(24h);
  EXPECT_EQ(simulation.user().get(Note::type, {"default", "a"})->resource_version(), version) << "no further write";
}

TEST_F(SubHandlersTest, WithAFixedVersionOnlyNewOnesRun) {
  begin([](const std::string&, int) -> Outcome { return done; }, {}, "v1");
  create(note("a", "one two"));
  pass(1s);
  set_text("a", "two three");
  pass(1s);
  EXPECT_THAT(calls, ElementsAre("one", "two", "three"));
}

TEST_F(SubHandlersTest, PermanentFailuresEndTheParentWhenAllOthersAreDone) {
  begin(
      [](const std::string& id, int call) -> Outcome {
        if (id == "terminal") return make_error(ErrorCode::invalid, "never").terminal();
        if (id == "often") return make_error(ErrorCode::unavailable, "again");
        if (id == "slow" && call < 3) return requeue_after(1min);
        return done;
      },
      {.backoff = {.base = 1s, .factor = 1, .cap = 1s}, .max_retries = 2});
  create(note("a", "terminal often slow"));
  pass(30s);
  EXPECT_EQ(count["often"], 3);
  EXPECT_NE(last.as_requeue_after(), nullptr) << "slow has not finished";
  pass(10min);
  EXPECT_EQ(count["terminal"], 1);
  EXPECT_EQ(count["often"], 3);
  EXPECT_EQ(count["slow"], 3);
  ASSERT_NE(last.as_failed(), nullptr);
  EXPECT_TRUE(last.as_failed()->is_terminal);
  EXPECT_THAT(last.as_failed()->to_string(), HasSubstr("sub-handler often: again"));
  EXPECT_THAT(last.as_failed()->to_string(), HasSubstr("sub-handler terminal: never"));
}

TEST_F(SubHandlersTest, AFailureAfterTheTimeoutIsPermanent) {
  begin([](const std::string&, int) -> Outcome { return make_error(ErrorCode::unavailable, "no"); },
        {.backoff = {.base = 30s, .factor = 1, .cap = 30s}, .timeout = 100s});
  create(note("a", "one"));
  pass(1h);
  EXPECT_EQ(count["one"], 5) << "after 0, 30, 60, 90 and 120 s";
}

TEST_F(SubHandlersTest, AnExceptionIsAFailureOfItsSubHandlerOnly) {
  begin([](const std::string& id, int call) -> Outcome {
    if (id == "odd" && call == 1) throw std::runtime_error("oops");
    return done;
  });
  create(note("a", "odd one"));
  pass(1min);
  EXPECT_THAT(calls, ElementsAre("odd", "one", "odd"));
  EXPECT_TRUE(log->has("sub-handler odd threw"));
}

// Otherwise a crash in a later function would repeat an earlier one that took long.
TEST_F(SubHandlersTest, TheProgressIsWrittenBetweenFunctionsThatTakeLong) {
  std::string in_second;
  begin([&](const std::string& id, int) -> Outcome {
    if (id == "two") in_second = progress();
    pass(5s);
    return done;
  });
  create(note("a", "one two"));
  pass(1min);
  EXPECT_THAT(in_second, HasSubstr(R"("done":["one"])"));
}

TEST_F(SubHandlersTest, AProgressThatCannotBeWrittenIsAFailure) {
  begin([](const std::string&, int) -> Outcome { return done; });
  instance->transport().set_faults({{.effect = http::ErrorResponse{.status = 403, .reason = "Forbidden"},
                                     .only = [](const http::Request& request) { return request.method == "PATCH"; },
                                     .times = 1}});
  create(note("a", "one"));
  pass(1min);
  EXPECT_EQ(count["one"], 2) << "at least once";
  EXPECT_TRUE(log->has("write the progress of sub-handlers"));
  EXPECT_TRUE(last.is_done());
}

TEST_F(SubHandlersTest, InvalidSetsNameTheProblem) {
  begin([](const std::string&, int) -> Outcome { return done; });
  create(note("a", "one one"));
  pass(1s);
  ASSERT_NE(last.as_failed(), nullptr);
  EXPECT_THAT(last.as_failed()->to_string(), HasSubstr("two functions have the id \"one\""));
  EXPECT_TRUE(last.as_failed()->is_terminal);
  EXPECT_THAT(calls, IsEmpty());
}

// A user may edit the annotation.
TEST_F(SubHandlersTest, AnAnnotationThatCannotBeReadIsNoProgress) {
  begin([](const std::string&, int) -> Outcome { return done; });
  create(note("a", "one"));
  pass(1s);
  for (const char* text : {"{", "[]", R"({"version":"1","done":7,"waiting":[1]})", "\xff"}) {
    SCOPED_TRACE(text);
    calls.clear();
    const json::object annotations{{"pintle.dev/progress.test-operator.note", text}};
    if (!simulation.user().patch(Note::type, {"default", "a"},
                                 json::Value{{"metadata", {{"annotations", annotations}}}}))
      continue;  // not UTF-8
    pass(1s);
    EXPECT_THAT(calls, ElementsAre("one"));
    EXPECT_TRUE(last.is_done());
  }
}

}  // namespace
}  // namespace pintle
