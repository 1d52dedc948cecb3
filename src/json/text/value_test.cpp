// SPDX-License-Identifier: Apache-2.0
#include <pintle/json/value.hpp>

#include <bit>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <pintle/base/random.hpp>
#include <pintle/json/document.hpp>

#include "json/random_values.hpp"

namespace pintle::json {
namespace {

std::string reprint(std::string_view text) {
  const auto value = parse(text);
  return value ? print(*value) : value.error().message;
}

std::string nested(std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); }

TEST(Json, PrintsTheParsedText) {
  for (const char* text : {
           R"({"a":1,"b":[true,false,null],"c":{}})",
           R"(["","é","\"\\\n\r\t\b\f\u0001","😀",{"":{"":[]}}])",
           R"([0,-1,9223372036854775807,-9223372036854775808,18446744073709551615])",
           R"([0.1,-2.5,1.0,-0.0,100000.0,1e-07,1e+21,5e-324,1.7976931348623157e+308])",
           R"("text")",
       }) {
    EXPECT_EQ(reprint(text), text);
  }
}

TEST(Json, ReadsEscapesAndSpace) { EXPECT_EQ(reprint(" [ \"\\u00e9\\ud83d\\ude00\\/\" ,\n1 ]\r\n\t"), "[\"é😀/\",1]"); }

TEST(Json, EscapesAtEveryPosition) {
  for (std::size_t at = 0; at < 20; ++at) {
    for (int c = 0; c < 256; ++c) {
      std::string text(20, 'x');
      text[at] = static_cast<char>(c);
      const bool is_plain = c >= 0x20 && c != '"' && c != '\\';
      const std::string printed = print(Value(text));
      EXPECT_EQ(printed == "\"" + text + "\"", is_plain) << at << " " << c;
      if (c >= 0x80) continue;  // not UTF-8 by itself
      EXPECT_EQ(parse(printed).value(), Value(text)) << printed;
    }
  }
}

std::string escaped_slowly(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c == '\n' ? "\\n" : c == '\x1f' ? "\\u001f" : std::string(1, c);
  }
  return out + "\"";
}

// Longer texts are printed piece by piece, and a document is collected in a buffer of 4 KiB.
TEST(Json, EscapesInTextsOfAnyLength) {
  Random random(1);
  constexpr std::string_view characters = "abcdefghijkl\xc3\xa9\n\x1f\"\\";
  for (const std::size_t size : {0, 1, 3, 4, 7, 8, 9, 15, 16, 17, 100, 255, 256, 257, 511, 513, 4095, 4096, 9000}) {
    for (const std::size_t used : {12U, 14U, 18U}) {
      std::string text;
      while (text.size() < size) text += characters[random.below(used)];
      const std::string printed = escaped_slowly(text);
      ASSERT_EQ(print(Value(text)), printed);
      ASSERT_EQ(print(Value{text, Value{{text, nullptr}}, 1.5}), "[" + printed + ",{" + printed + ":null},1.5]")
          << size;
    }
  }
}

TEST(Json, KeepsTheLastOfDuplicateKeys) { EXPECT_EQ(reprint(R"({"a":1,"b":2,"a":3})"), R"({"a":3,"b":2})"); }

TEST(Json, ReportsTheOffsetOfAnError) {
  const struct {
    const char* text;
    const char* message;
  } cases[] = {
      {"", "invalid JSON at byte 0: the text ends too early"},
      {"{\"a\":", "invalid JSON at byte 5: the text ends too early"},
      {"{\"a\":1} x", "invalid JSON at byte 8: unexpected text after the end"},
      {"[1e400]", "invalid JSON at byte 6: a number is out of range"},
  };
  for (const auto& one : cases) EXPECT_EQ(reprint(one.text), one.message);
  for (const char* text :
       {"[1,]", "{a:1}", "\"\xff\"", "\"\\ud800\"", "01", "nul", "'a'", "[NaN]", "\"a\nb\"", "\xef\xbb\xbf{}"}) {
    EXPECT_FALSE(parse(text)) << text;
    EXPECT_EQ(parse(text).error().code, ErrorCode::invalid);
  }
}

TEST(Json, RefusesDeepNesting) {
  EXPECT_TRUE(parse(nested(max_depth)));
  EXPECT_EQ(parse(nested(max_depth + 1)).error().message, "invalid JSON at byte 200: nested deeper than 200 levels");
  EXPECT_FALSE(parse(std::string(1'000'000, '[')));
}

TEST(Json, PrintsTinyNumbersAsZero) { EXPECT_EQ(reprint("[1e-400,-1e-400]"), "[0.0,-0.0]"); }

// Other parsers lose the last digit of some numbers.
TEST(Json, RoundTripsEveryDouble) {
  Random random(1);
  for (int i = 0; i < 100'000; ++i) {
    const double number = i % 2 == 0 ? std::bit_cast<double>(random.next()) : random.unit() * 1000;
    if (!std::isfinite(number)) continue;
    const auto back = parse(print(Value(number)));
    ASSERT_TRUE(back && back->is_double()) << print(Value(number));
    ASSERT_EQ(back->get_double(), number);
  }
}

TEST(Json, PrintsNoNumberThatJsonLacks) {
  EXPECT_EQ(print(Value(std::numeric_limits<double>::infinity())), "null");
  EXPECT_EQ(print(Value(std::numeric_limits<double>::quiet_NaN())), "null");
}

TEST(Json, PrintsPretty) {
  EXPECT_EQ(print_pretty(*parse(R"({"a":[1,{"b":[]}],"c":{}})")), R"({
  "a": [
    1,
    {
      "b": []
    }
  ],
  "c": {}
})");
}

TEST(Json, RoundTripsRandomDocuments) {
  Random random(7);
  for (int i = 0; i < 5'000; ++i) {
    const Value value = random_value(random);
    const auto back = parse(print(value));
    ASSERT_TRUE(back) << print(value);
    ASSERT_EQ(print(*back), print(value));
    ASSERT_EQ(print(*parse(print_pretty(value))), print(value));
  }
}

}  // namespace
}  // namespace pintle::json
