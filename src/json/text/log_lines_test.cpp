// SPDX-License-Identifier: Apache-2.0
// A line of the JSON log is a JSON object that reads back as the logged values, and a line of the text log has no
// control character, whatever is logged.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <boost/json/parse.hpp>

#include <pintle/base/random.hpp>
#include <pintle/base/terminal.hpp>
#include <pintle/base/utf8.hpp>
#include <pintle/json/reader.hpp>
#include <pintle/json/value.hpp>

#include "base/log_line.hpp"

namespace pintle::json {
namespace {

// Returns an object that two strict parsers accept; fails the test otherwise. Boost.JSON checks UTF-8, too, and the
// strict mode of our parser rejects duplicate members.
Value parse_strictly(std::string_view line) {
  EXPECT_EQ(std::count(line.begin(), line.end(), '\n'), 1) << line;
  EXPECT_TRUE(line.ends_with('\n')) << line;
  boost::system::error_code error;
  const Value value = boost::json::parse(std::string(line), error);
  EXPECT_FALSE(error) << error.message() << ": " << line;
  Reader reader({.strict = true});
  EXPECT_TRUE(reader.add(line)) << line;
  const auto document = reader.finish();
  EXPECT_TRUE(document) << document.error().message << ": " << line;
  EXPECT_TRUE(is_terminal_safe(line.substr(0, line.size() - 1))) << line;
  return value;
}

void expect_one_safe_line(std::string_view line) {
  ASSERT_TRUE(line.ends_with('\n'));
  EXPECT_TRUE(is_terminal_safe(line.substr(0, line.size() - 1))) << line;
  EXPECT_TRUE(std::ranges::none_of(line.substr(0, line.size() - 1), [](unsigned char c) {
    return c < 0x20 || c == 0x7f;
  })) << line;
}

void expect_sound_lines(const std::string& message, const std::string& name, const std::string& text) {
  const LogField field(name, text);
  const LogRecord record{.message = message, .fields = {field}};
  const Value read = parse_strictly(json_log_line(record));
  EXPECT_EQ(read.at("message"), Value(sanitize_utf8(message)));
  EXPECT_EQ(read.at(sanitize_utf8(name)), Value(sanitize_utf8(text)));
  expect_one_safe_line(text_log_line(record));
}

TEST(LogLines, AreSoundForEachByte) {
  for (int byte = 0; byte < 256; ++byte) {
    const std::string alone(1, static_cast<char>(byte));
    const std::string within = "a" + alone + "b";
    expect_sound_lines(alone, alone, alone);
    expect_sound_lines(within, within, within);
    expect_sound_lines(within + alone, alone + "\xc2\x9b", "\xe2\x80" + alone);
  }
}

TEST(LogLines, AreSoundForRandomTexts) {
  Random random(3);
  const auto text = [&random] {
    std::string made;
    const bool is_bytes = random.below(2) == 0;
    for (std::uint64_t length = random.below(20); length > 0; --length) {
      made += static_cast<char>(is_bytes ? random.below(256) : random.below(0x60));
    }
    return made;
  };
  for (int round = 0; round < 3000; ++round) {
    SCOPED_TRACE(round);
    expect_sound_lines(text(), "n" + text(), text());
  }
}

TEST(LogLines, AreSoundForEachNumber) {
  using Limits = std::numeric_limits<double>;
  for (const double number : {Limits::quiet_NaN(), Limits::signaling_NaN(), Limits::infinity(), -Limits::infinity(),
                              Limits::denorm_min(), Limits::max(), Limits::lowest(), -0.0, 1e300, 1e5, 0.1}) {
    const LogRecord record{.message = "m", .fields = {{"real", number}, {"min", Limits::min()}}};
    const Value read = parse_strictly(json_log_line(record));
    EXPECT_EQ(read.at("real").is_string(), !std::isfinite(number));
    if (std::isfinite(number)) {
      EXPECT_EQ(read.at("real").to_number<double>(), number);
    }
    expect_one_safe_line(text_log_line(record));
  }
  using Integers = std::numeric_limits<std::int64_t>;
  const Value read = parse_strictly(json_log_line({.fields = {{"least", Integers::min()}, {"most", Integers::max()}}}));
  EXPECT_EQ(read.at("least"), Value(Integers::min()));
  EXPECT_EQ(read.at("most"), Value(Integers::max()));
}

TEST(LogLines, HaveEachMemberOnce) {
  const std::vector<LogField> context{{"key", "a"}, {"n", 1}};
  const LogRecord record{
      .message = "m", .context = &context, .fields = {{"key", "b"}, {"message", "x"}, {"time", 1}, {"level", true}}};

  const Value read = parse_strictly(json_log_line(record));

  EXPECT_EQ(read.at("message"), Value("m"));
  EXPECT_EQ(read.at("key"), Value("b"));
  EXPECT_EQ(read.at("n"), Value(1));
  EXPECT_EQ(read.at("field.message"), Value("x"));
  EXPECT_EQ(read.at("field.time"), Value(1));
  EXPECT_EQ(read.at("field.level"), Value(true));
}

TEST(LogLines, AreOfLimitedSize) {
  std::string text;
  while (text.size() < 2 * max_log_text_size) text += "\u00e4\u2028";
  const LogRecord record{.message = text, .fields = {{text, text}}};

  const Value read = parse_strictly(json_log_line(record));

  const std::string_view message = read.at("message").get_string();
  EXPECT_TRUE(message.ends_with("\u2026 (16388 bytes omitted)")) << message.substr(message.size() - 40);
  EXPECT_EQ(text.compare(0, max_log_text_size - 10, message.substr(0, max_log_text_size - 10)), 0);
  expect_one_safe_line(text_log_line(record));
  EXPECT_LT(text_log_line(record).size(), 7 * max_log_text_size);
}

}  // namespace
}  // namespace pintle::json
