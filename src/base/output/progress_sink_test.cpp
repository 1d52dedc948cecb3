// SPDX-License-Identifier: Apache-2.0
#include "progress_sink.hpp"

#include <string>

#include <gtest/gtest.h>

namespace pintle {
namespace {

// Writes messages to the text that the progress is written to.
class MessageSink final : public LogSink {
 public:
  explicit MessageSink(std::string& text) : text_(text) {}
  void write(const LogRecord& record) override { text_.append(record.message).append("\n"); }

 private:
  std::string& text_;
};

TEST(ProgressSink, ShowsOneLineBehindTheLog) {
  const auto executor = make_real_executor();
  std::string text;
  ProgressSink sink(*executor, std::make_shared<MessageSink>(text), [&](std::string_view part) { text += part; });
  const auto shown = [&](const auto& action) {
    text.clear();
    action();
    return text;
  };
  EXPECT_EQ(shown([&] { sink.write({.message = "a"}); }), "a\n") << "nothing is shown yet";
  EXPECT_EQ(shown([&] { sink.show("1 of 2"); }), "\r\x1b[K1 of 2");
  EXPECT_EQ(shown([&] { sink.show("2 of 2"); }), "\r\x1b[K2 of 2");
  EXPECT_EQ(shown([&] { sink.write({.message = "b"}); }), "\r\x1b[Kb\n") << "the line replaces the progress";
  EXPECT_EQ(shown([&] { sink.hide(); }), "") << "nothing is shown any more";
  sink.show("2 of 2");
  EXPECT_EQ(shown([&] { sink.hide(); }), "\r\x1b[K");
}

TEST(ProgressSink, IsForTerminalsOnly) {
  const auto executor = make_real_executor();
  testing::internal::CaptureStderr();  // standard error is a file
  const auto sink = make_progress_sink(*executor, make_stderr_sink());
  EXPECT_EQ(sink, nullptr);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace pintle
