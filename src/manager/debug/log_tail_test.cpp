// SPDX-License-Identifier: Apache-2.0
#include "log_tail.hpp"

#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include <pintle/sim/simulated_executor.hpp>
#include <pintle/testing/recording_log_sink.hpp>

namespace pintle {
namespace {

using ::testing::ElementsAre;

class LogTailTest : public ::testing::Test {
 protected:
  static std::vector<std::string> messages(const std::vector<LogTail::Line>& lines) {
    std::vector<std::string> all;
    for (const auto& line : lines) all.push_back(line->message);
    return all;
  }

  SimulatedExecutor executor_{{.seed = 1}};
  std::shared_ptr<testkit::RecordingLogSink> next_ = std::make_shared<testkit::RecordingLogSink>();
  std::shared_ptr<LogTail> tail_ = std::make_shared<LogTail>(executor_, next_);
  Log log_{tail_, executor_, LogLevel::debug};
};

TEST_F(LogTailTest, KeepsLinesWithTheirFieldsAndPassesThemOn) {
  log_.with({{"controller", "c"}}).warning("hot", {{"key", "a/b"}, {"count", 3}, {"slow", true}, {"share", 0.5}});
  const auto lines = tail_->newest({}, 10);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0]->id, 1U);
  EXPECT_EQ(lines[0]->level, LogLevel::warning);
  EXPECT_EQ(json::print(lines[0]->fields), R"({"controller":"c","key":"a/b","count":3,"slow":true,"share":0.5})");
  EXPECT_TRUE(next_->has("hot controller=c key=a/b"));
}

TEST_F(LogTailTest, KeepsTheLastThousandLines) {
  for (int i = 1; i <= 1005; ++i) log_.info("line " + std::to_string(i));
  EXPECT_EQ(tail_->newest({}, 5000).size(), LogTail::max_lines);
  EXPECT_EQ(tail_->newest({}, 5000).front()->message, "line 6");
  EXPECT_THAT(messages(tail_->newest({}, 2)), ElementsAre("line 1004", "line 1005"));
  EXPECT_THAT(messages(tail_->after(1003)), ElementsAre("line 1004", "line 1005"));
  EXPECT_THAT(messages(tail_->after(1005)), ElementsAre());
  EXPECT_EQ(tail_->after(1).size(), LogTail::max_lines);
}

TEST_F(LogTailTest, FiltersByLevelAndText) {
  log_.debug("one");
  log_.info("two", {{"key", "default/a"}});
  log_.error("three");
  EXPECT_THAT(messages(tail_->newest({.level = LogLevel::info}, 10)), ElementsAre("two", "three"));
  EXPECT_THAT(messages(tail_->newest({.search = "default/a"}, 10)), ElementsAre("two"));
  EXPECT_THAT(messages(tail_->newest({.search = "re"}, 10)), ElementsAre("three"));
}

TEST_F(LogTailTest, CutsLongTexts) {
  log_.info(std::string(5000, 'x'), {{"text", std::string(5000, 'y')}});
  const auto line = tail_->newest({}, 1).front();
  EXPECT_EQ(line->message.size(), LogTail::max_text);
  EXPECT_EQ(line->fields.at("text").as_string().size(), LogTail::max_text);
}

}  // namespace
}  // namespace pintle
