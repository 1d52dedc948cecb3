// SPDX-License-Identifier: Apache-2.0
#include <pintle/base/log.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <memory>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

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
            "2026-01-01T00:00:00.000000Z info    \\x1b]0;owned\\x07\\nforged line \"na\\u001bme\"=\"\\u001b[2J\" "
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

TEST(LogValue, KeepsTheTypeOfItsArgument) {
  const LogValue literal("text");  // not a bool, to which a pointer converts
  ASSERT_NE(literal.as_string(), nullptr);
  EXPECT_EQ(*literal.as_string(), "text");
  EXPECT_EQ(literal.as_bool(), nullptr);
  const LogField flag("ready", true);
  ASSERT_NE(flag.value.as_bool(), nullptr);
  EXPECT_TRUE(*flag.value.as_bool());
  EXPECT_EQ(flag.value.as_integer(), nullptr);
  const LogField number("count", 7U);
  ASSERT_NE(number.value.as_integer(), nullptr);
  EXPECT_EQ(*number.value.as_integer(), 7);
  const LogField real("share", 0.5);
  ASSERT_NE(real.value.as_double(), nullptr);
  EXPECT_EQ(*real.value.as_double(), 0.5);
}

TEST(LogValue, EqualsAValueOfTheSameTypeAndContent) {
  EXPECT_EQ(LogValue(std::int64_t{1}), LogValue(std::int64_t{1}));
  EXPECT_FALSE(LogValue(std::int64_t{1}) == LogValue(std::int64_t{2}));
  EXPECT_FALSE(LogValue(std::int64_t{1}) == LogValue(1.0));
  EXPECT_FALSE(LogValue(true) == LogValue(false));
  EXPECT_FALSE(LogValue("a") == LogValue("b"));
}

TEST(Log, QuotesANameOrValueThatWouldBeAmbiguous) {
  EXPECT_EQ(logged(LogFormat::text, LogLevel::info,
                   [](Log& log) {
                     log.info("m", {{"a b", "c=d"}, {"e\"f", ""}, {"Größe", "42\u00a0€"}, {"path", "a\\b"}});
                   }),
            "2026-01-01T00:00:00.000000Z info    m \"a b\"=\"c=d\" \"e\\\"f\"=\"\" Größe=42\u00a0€ "
            "path=\"a\\\\b\"\n");
}

// Replaces the standard error of the process.
class ReplacedStderr {
 public:
  explicit ReplacedStderr(int replacement) {
    ::dup2(replacement, STDERR_FILENO);
    ::close(replacement);
  }
  ~ReplacedStderr() {
    ::dup2(before_, STDERR_FILENO);
    ::close(before_);
  }
  ReplacedStderr(const ReplacedStderr&) = delete;
  ReplacedStderr& operator=(const ReplacedStderr&) = delete;

 private:
  int before_ = ::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0);
};

std::string read_some(int descriptor) {
  std::string text(1U << 20U, '\0');
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(::read(descriptor, text.data(), text.size()), 0)));
  return text;
}

TEST(Log, ReportsTheLinesThatCouldNotBeWritten) {
  SimulatedExecutor executor;
  const Log log(make_stderr_sink(LogFormat::text), executor);
  {
    const ReplacedStderr full(::open("/dev/full", O_WRONLY | O_CLOEXEC));
    log.info("one");
    log.info("two");
  }

  ::testing::internal::CaptureStderr();
  log.info("three");
  log.info("four");

  EXPECT_EQ(::testing::internal::GetCapturedStderr(),
            "2026-01-01T00:00:00.000000Z warning log lines are missing here, because they could not be written lines=2 "
            "error=\"No space left on device\"\n"
            "2026-01-01T00:00:00.000000Z info    three\n"
            "2026-01-01T00:00:00.000000Z info    four\n");
}

TEST(Log, AProcessWhosePipeIsClosedContinues) {
  SimulatedExecutor executor;
  std::array<int, 2> pipe{};
  ASSERT_EQ(::pipe2(pipe.data(), O_CLOEXEC), 0);
  ::close(pipe[0]);
  const ReplacedStderr closed(pipe[1]);
  const Log log(make_stderr_sink(LogFormat::json), executor);

  for (int i = 0; i < 3; ++i) log.info("the signal SIGPIPE would end the process");
}

// A read of a pipe returns a part of the stream; a line that is complete in it was not mixed with another one.
TEST(LogConcurrency, LinesOfSeveralThreadsDoNotMix) {
  constexpr int threads = 8;
  constexpr int lines = 200;
  const auto executor = make_real_executor();
  std::array<int, 2> pipe{};
  ASSERT_EQ(::pipe2(pipe.data(), O_CLOEXEC), 0);
  std::string text;
  std::thread reader([&] {
    for (std::string piece = read_some(pipe[0]); !piece.empty(); piece = read_some(pipe[0])) text += piece;
  });
  {
    const ReplacedStderr replaced(pipe[1]);
    const Log log(make_stderr_sink(LogFormat::text), *executor);
    std::vector<std::thread> writers;
    for (int t = 0; t < threads; ++t) {
      writers.emplace_back([&log, t] {
        const std::string filler(static_cast<std::size_t>(t) * 1500, static_cast<char>('a' + t));
        for (int i = 0; i < lines; ++i) log.info(filler, {{"thread", t}, {"line", i}});
      });
    }
    for (std::thread& writer : writers) writer.join();
  }
  reader.join();
  ::close(pipe[0]);

  std::set<std::string> found;
  for (std::size_t end = 0; (end = text.find('\n')) != std::string::npos; text.erase(0, end + 1)) {
    found.insert(text.substr(28, end - 28));
  }
  EXPECT_EQ(found.size(), std::size_t{threads} * lines);
  for (int t = 0; t < threads; ++t) {
    const std::string filler(static_cast<std::size_t>(t) * 1500, static_cast<char>('a' + t));
    for (int i = 0; i < lines; ++i) {
      EXPECT_TRUE(found.contains("info    " + filler + " thread=" + std::to_string(t) + " line=" + std::to_string(i)));
    }
  }
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
