// SPDX-License-Identifier: Apache-2.0
#include <pintle/controller/ready_status.hpp>

#include <gtest/gtest.h>

#include <pintle/sim/simulated_executor.hpp>

namespace pintle {
namespace {

class ReadyStatusTest : public ::testing::Test {
 protected:
  [[nodiscard]] ReadyStatus written() const { return draft.as<ReadyStatus>().value_or(ReadyStatus{}); }
  [[nodiscard]] StatusCondition ready() const {
    const ReadyStatus status = written();
    const StatusCondition* found = find_condition(status.conditions, "Ready");
    return found == nullptr ? StatusCondition{} : *found;
  }

  SimulatedExecutor executor{{.seed = 1}};
  StatusDraft draft{Object(json::object{{"metadata", json::object{{"uid", "u"}, {"generation", 3}}}}), executor};
};

TEST_F(ReadyStatusTest, BeginsWithAnObjectThatIsNotReady) {
  report_started(draft);
  EXPECT_EQ(ready().status, ConditionStatus::false_);
  EXPECT_EQ(ready().reason, "Initialize");
}

TEST_F(ReadyStatusTest, BeginsOnce) {
  report_ready(draft);
  report_started(draft);
  EXPECT_EQ(ready().reason, "Ready");
}

TEST_F(ReadyStatusTest, AFailureIsWrittenInFullAndInShort) {
  report_failed(draft, make_error(ErrorCode::unavailable, std::string(99, 'x') + "\xC3\xA9 and more"));
  EXPECT_EQ(ready().status, ConditionStatus::false_);
  EXPECT_EQ(ready().reason, "Failed");
  EXPECT_EQ(ready().message, std::string(99, 'x')) << "no incomplete character";
  EXPECT_TRUE(written().is_on_error);
  EXPECT_EQ(written().last_error_message, std::string(99, 'x') + "\xC3\xA9 and more");
  EXPECT_EQ(written().observed_generation, 3);
}

TEST_F(ReadyStatusTest, AWaitIsNotReadyAndClearsTheError) {
  report_failed(draft, make_error(ErrorCode::unavailable, "later"));
  report_waiting(draft, "Waiting");
  EXPECT_EQ(ready().status, ConditionStatus::false_);
  EXPECT_EQ(ready().reason, "Waiting");
  EXPECT_EQ(ready().message, "");
  EXPECT_EQ(ready().observed_generation, 3);
  EXPECT_FALSE(written().is_on_error);
  EXPECT_EQ(written().last_error_message, std::nullopt);
  EXPECT_EQ(written().observed_generation, 3);
}

TEST_F(ReadyStatusTest, SuccessClearsTheError) {
  report_failed(draft, make_error(ErrorCode::unavailable, "later"));
  report_ready(draft);
  EXPECT_EQ(ready().status, ConditionStatus::true_);
  EXPECT_EQ(ready().reason, "Ready");
  EXPECT_EQ(ready().observed_generation, 3);
  EXPECT_FALSE(written().is_on_error);
  EXPECT_EQ(written().last_error_message, std::nullopt);
  EXPECT_EQ(written().observed_generation, 3);
}

}  // namespace
}  // namespace pintle
