// SPDX-License-Identifier: Apache-2.0
#include "debug_stream.hpp"

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include <pintle/sim/simulated_executor.hpp>
#include <pintle/testing/recording_log_sink.hpp>

namespace pintle {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class DebugStreamTest : public ::testing::Test {
 protected:
  std::unique_ptr<DebugStream> open(DebugStream::Options options = {}) {
    ++*count_;
    const DebugStream::Sources sources{
        .executor = executor_, .history = history_, .log = *tail_, .controllers = [this] {
          ++asked_;
          return json::Value{{"items", json::array()}};
        }};
    return std::make_unique<DebugStream>(sources, std::move(options), count_);
  }
  void reconcile(const std::string& name) {
    history_.add({.controller = "c", .key = {"default", name}, .outcome = "success"});
  }
  // Returns the text that the stream sends in the next period.
  std::string next(DebugStream& stream) {
    executor_.sleep_for(250ms);
    std::string out;
    EXPECT_EQ(stream.read(out), http::BodyStream::State::waiting);
    return out;
  }
  static std::vector<std::string> names(const std::string& text) {
    std::vector<std::string> all;
    constexpr std::string_view mark = "event: ";
    for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + 1)) {
      all.push_back(text.substr(at + mark.size(), text.find('\n', at) - at - mark.size()));
    }
    return all;
  }

  SimulatedExecutor executor_{{.seed = 1}};
  ReconcileHistory history_{executor_, 1000};
  std::shared_ptr<LogTail> tail_ = std::make_shared<LogTail>(executor_, std::make_shared<testkit::RecordingLogSink>());
  Log log_{tail_, executor_};
  std::shared_ptr<std::atomic<int>> count_ = std::make_shared<std::atomic<int>>(0);
  int asked_ = 0;
};

TEST_F(DebugStreamTest, SendsWhatIsNew) {
  reconcile("before");
  log_.info("before");
  const auto stream = open();
  EXPECT_THAT(names(next(*stream)), ElementsAre("controllers"));
  reconcile("a");
  log_.info("line");
  const std::string text = next(*stream);
  EXPECT_THAT(names(text), ElementsAre("reconcile", "log"));
  EXPECT_THAT(text, HasSubstr("data: {\"id\":2,\"controller\":\"c\",\"key\":\"default/a\""));
  EXPECT_THAT(text, HasSubstr("\"message\":\"line\""));
  EXPECT_THAT(text, Not(HasSubstr("before")));
  EXPECT_THAT(names(next(*stream)), IsEmpty());
}

TEST_F(DebugStreamTest, SendsTheControllersOnceASecond) {
  const auto stream = open();
  for (int i = 0; i < 40; ++i) (void)next(*stream);
  EXPECT_EQ(asked_, 10);
}

TEST_F(DebugStreamTest, IsReadAgainAtTheEndOfThePeriod) {
  const auto stream = open();
  (void)next(*stream);
  reconcile("a");
  std::string out;
  EXPECT_EQ(stream->read(out), http::BodyStream::State::waiting);
  EXPECT_EQ(out, "") << "an early read costs nothing";
  EXPECT_EQ(stream->next_deadline(), executor_.now() + 250ms);
}

TEST_F(DebugStreamTest, LeavesOutWhatIsTooMuchAndSaysSo) {
  const auto stream = open();
  (void)next(*stream);
  for (int i = 0; i < 500; ++i) reconcile(std::to_string(i));
  const std::string text = next(*stream);
  EXPECT_EQ(names(text).size(), 26U);
  EXPECT_THAT(text, HasSubstr("event: gap\ndata: {\"dropped\":475}"));
  EXPECT_THAT(text, HasSubstr("default/499"));
  for (int i = 0; i < 1500; ++i) log_.info("x");
  EXPECT_THAT(next(*stream), HasSubstr("event: gap\ndata: {\"dropped\":1475}"));
}

TEST_F(DebugStreamTest, FiltersEvents) {
  const auto stream = open({.reconciles = {.key = ObjectKey{"default", "a"}}, .events = {"reconcile"}});
  reconcile("a");
  reconcile("b");
  log_.info("line");
  const std::string text = next(*stream);
  EXPECT_THAT(names(text), ElementsAre("reconcile"));
  EXPECT_THAT(text, HasSubstr("default/a"));
}

TEST_F(DebugStreamTest, CountsOpenStreams) {
  {
    const auto stream = open();
    EXPECT_EQ(*count_, 1);
  }
  EXPECT_EQ(*count_, 0);
}

}  // namespace
}  // namespace pintle
