#include <pintle/base/log.hpp>

#include <gtest/gtest.h>

#include <pintle/base/simulated_runtime.hpp>

namespace pintle {
namespace {

std::string logged(LogFormat format, LogLevel level, const std::function<void(Log&)>& use) {
  SimulatedRuntime runtime;
  ::testing::internal::CaptureStderr();
  Log log(make_stderr_sink(format), runtime, level);
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

TEST(Log, DropsWhatIsBelowItsLevel) {
  EXPECT_EQ(logged(LogFormat::text, LogLevel::warning, [](Log& log) { log.info("quiet"); }), "");
  EXPECT_FALSE(Log().enabled(LogLevel::error));
}

TEST(Log, ReadsLevelsByName) {
  EXPECT_EQ(parse_log_level("warning").value(), LogLevel::warning);
  EXPECT_NE(parse_log_level("loud").error().message.find("\"loud\""), std::string::npos);
}

}  // namespace
}  // namespace pintle
