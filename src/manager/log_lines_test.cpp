// Each line of the JSON log is one JSON object that reads back as the logged values, whatever they are.
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <pintle/base/log.hpp>
#include <pintle/base/random.hpp>
#include <pintle/base/utf8.hpp>
#include <pintle/json/value.hpp>
#include <pintle/sim/simulated_executor.hpp>

namespace pintle {
namespace {

std::string random_text(Random& random) {
  std::string text;
  const bool is_bytes = random.below(2) == 0;
  for (std::uint64_t length = random.below(20); length > 0; --length) {
    text += static_cast<char>(is_bytes ? random.below(256) : random.below(0x60));
  }
  return text;
}

double random_number(Random& random) {
  using Limits = std::numeric_limits<double>;
  const double odd[] = {Limits::quiet_NaN(),
                        Limits::infinity(),
                        -Limits::infinity(),
                        Limits::denorm_min(),
                        Limits::max(),
                        -0.0,
                        1e300,
                        0.1};
  return odd[random.below(std::size(odd))];
}

TEST(LogLines, AreJsonForAnyInput) {
  SimulatedExecutor executor;
  Random random(3);
  for (int round = 0; round < 3000; ++round) {
    const std::string message = random_text(random);
    const std::string text = random_text(random);
    const double number = random_number(random);
    ::testing::internal::CaptureStderr();
    Log(make_stderr_sink(LogFormat::json), executor).info(message, {{"text", text}, {"number", number}, {"n", -1}});
    std::string line = ::testing::internal::GetCapturedStderr();
    ASSERT_TRUE(line.ends_with('\n'));
    line.pop_back();
    ASSERT_EQ(line.find('\n'), std::string::npos);
    ASSERT_EQ(sanitize_utf8(line), line) << "round " << round;
    const auto read = json::parse(line);
    ASSERT_TRUE(read) << "round " << round << ": " << line;
    EXPECT_EQ(read->at("message"), json::Value(sanitize_utf8(message)));
    EXPECT_EQ(read->at("text"), json::Value(sanitize_utf8(text)));
    if (std::isfinite(number)) {
      EXPECT_EQ(read->at("number").to_number<double>(), number) << line;
    }
  }
}

}  // namespace
}  // namespace pintle
