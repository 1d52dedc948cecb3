#include <pintle/base/log.hpp>

#include <cmath>
#include <memory>
#include <stdexcept>

#include <gtest/gtest.h>

#include <pintle/sim/simulated_executor.hpp>

namespace pintle {
namespace {

std::string logged(LogFormat format, LogLevel level, const std::function<void(Log&)>& use) {
  SimulatedExecutor executor;
  ::testing::internal::CaptureStderr();
  Log log(make_stderr_sink(format), executor, level);
  use(log);
  return ::testing::internal::GetCapturedStderr();
}

TEST(Log, WritesTextWithFieldsInOrder) {
  EXPECT_EQ(logged(LogFormat::text, LogLevel::info,
                   [](Log& log) {
                     log.with({{"controller", "greeting"}}).info("reconciled", {{"key", "a b"}, {"n", 3}});
                   }),
            "2026-01-01T00:00:00.000000Z info    reconciled controller=greeting key=\"a b\" n=3\n");
}

TEST(Log, WritesOneJsonObjectALine) {
  EXPECT_EQ(logged(LogFormat::json, LogLevel::info,
                   [](Log& log) {
                     log.error("line\nbreak", {{"q", "\"\x01"}, {"ok", true}, {"share", 0.5}});
                   }),
            "{\"time\":\"2026-01-01T00:00:00.000000Z\",\"level\":\"error\",\"message\":\"line\\nbreak\",\"q\":"
            "\"\\\"\\u0001\","
            "\"ok\":true,\"share\":0.5}\n");
}

TEST(Log, NoControlCharacterReachesATerminal) {
  const auto use = [](Log& log) {
    log.info("\x1b]0;owned\x07\nforged line", {{"na\x1bme", "\x1b[2J"}, {"c1", "\xc2\x9b"}, {"bad", "\xff"}});
  };
  EXPECT_EQ(logged(LogFormat::text, LogLevel::info, use),
            "2026-01-01T00:00:00.000000Z info    \\x1b]0;owned\\x07\\nforged line na\\x1bme=\"\\u001b[2J\" "
            "c1=\"\\u009b\" bad=\"\uFFFD\"\n");
  EXPECT_EQ(
      logged(LogFormat::json, LogLevel::info, use),
      "{\"time\":\"2026-01-01T00:00:00.000000Z\",\"level\":\"info\",\"message\":\"\\u001b]0;owned\\u0007\\nforged "
      "line\",\"na\\u001bme\":\"\\u001b[2J\",\"c1\":\"\\u009b\",\"bad\":\"\uFFFD\"}\n");
}

TEST(Log, NumbersThatJsonLacksArePrintedAsText) {
  const auto use = [](Log& log) { log.info("m", {{"a", std::nan("")}, {"b", HUGE_VAL}, {"c", -HUGE_VAL}}); };
  EXPECT_EQ(logged(LogFormat::json, LogLevel::info, use),
            "{\"time\":\"2026-01-01T00:00:00.000000Z\",\"level\":\"info\",\"message\":\"m\",\"a\":\"NaN\",\"b\":"
            "\"Infinity\",\"c\":\"-Infinity\"}\n");
  EXPECT_EQ(logged(LogFormat::text, LogLevel::info, use),
            "2026-01-01T00:00:00.000000Z info    m a=NaN b=Infinity c=-Infinity\n");
}

TEST(Log, DropsLinesBelowItsLevel) {
  EXPECT_EQ(logged(LogFormat::text, LogLevel::warning, [](Log& log) { log.info("quiet"); }), "");
  EXPECT_FALSE(Log().enabled(LogLevel::error));
}

class ThrowingSink final : public LogSink {
 public:
  void write(const LogRecord&) override {
    ++lines;
    throw std::runtime_error("full");
  }
  int lines = 0;
};

TEST(Log, ASinkThatThrowsLosesOnlyItsLine) {
  SimulatedExecutor executor;
  const auto sink = std::make_shared<ThrowingSink>();
  const Log log(sink, executor);
  EXPECT_NO_THROW(log.info("one"));
  EXPECT_NO_THROW(log.with({{"key", "a"}}).error("two"));
  EXPECT_EQ(sink->lines, 2);
}

TEST(Log, ReadsLevelsByName) {
  EXPECT_EQ(parse_log_level("warning").value(), LogLevel::warning);
  EXPECT_NE(parse_log_level("loud").error().message.find("\"loud\""), std::string::npos);
}

}  // namespace
}  // namespace pintle
