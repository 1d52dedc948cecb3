// SPDX-License-Identifier: Apache-2.0
#include <pintle/base/utf8.hpp>

#include <array>
#include <iterator>
#include <set>
#include <utility>

#include <gtest/gtest.h>

#include <pintle/base/random.hpp>

namespace pintle {
namespace {

// On random text: the result has at most the given size, does not divide a sequence, and is as long as possible (trap
// 68).
TEST(CutUtf8, KeepsWholeSequences) {
  Random random(3);
  const std::array<std::string, 4> letters{"a", "ä", "€", "😀"};
  for (int round = 0; round < 1000; ++round) {
    std::string whole;
    std::set<std::size_t> borders{0};
    while (whole.size() < 40) {
      whole += letters.at(random.below(4));
      borders.insert(whole.size());
    }
    const std::size_t size = random.below(45);
    const std::string_view cut = truncate_utf8(whole, size);
    EXPECT_EQ(cut.size(), *std::prev(borders.upper_bound(size)));
    EXPECT_EQ(cut, whole.substr(0, cut.size()));
  }
}

TEST(SanitizeUtf8, ReplacesEachInvalidByte) {
  const std::pair<std::string, std::string> cases[] = {
      {"", ""},
      {"plain, ä, €, 😀", "plain, ä, €, 😀"},
      {"a\xff"
       "b",
       "a\uFFFDb"},
      {"\x80", "\uFFFD"},
      {"cut \xe2\x82", "cut \uFFFD\uFFFD"},
      {"\xc3(", "\uFFFD("},
      {"overlong \xc0\xaf", "overlong \uFFFD\uFFFD"},
      {"\xe0\x80\xaf", "\uFFFD\uFFFD\uFFFD"},
      {"\xf0\x80\x80\xaf", "\uFFFD\uFFFD\uFFFD\uFFFD"},
      {"surrogate \xed\xa0\x80", "surrogate \uFFFD\uFFFD\uFFFD"},
      {"\xed\x9f\xbf \xee\x80\x80 \xf4\x8f\xbf\xbf", "\xed\x9f\xbf \xee\x80\x80 \xf4\x8f\xbf\xbf"},
      {"beyond \xf4\x90\x80\x80", "beyond \uFFFD\uFFFD\uFFFD\uFFFD"},
      {"\xf5\x80\x80\x80", "\uFFFD\uFFFD\uFFFD\uFFFD"},
  };
  for (const auto& [text, sanitized] : cases) EXPECT_EQ(sanitize_utf8(text), sanitized) << text;
}

TEST(SanitizeUtf8InPlace, ChangesOnlyInvalidText) {
  std::string text = "caf\u00e9";
  sanitize_utf8_in_place(text);
  EXPECT_EQ(text, "caf\u00e9");
  text = "caf\xe9!";
  sanitize_utf8_in_place(text);
  EXPECT_EQ(text, "caf\uFFFD!");
  text.clear();
  sanitize_utf8_in_place(text);
  EXPECT_EQ(text, "");
}

}  // namespace
}  // namespace pintle
