// SPDX-License-Identifier: Apache-2.0
#include <pintle/base/hash.hpp>

#include <set>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace pintle {
namespace {

constexpr std::size_t max_size = 70;  // reaches all branches of the hash function and their limits

std::string text_of(std::size_t size) {
  std::string text;
  for (std::size_t i = 0; i < size; ++i) text += static_cast<char>('a' + i % 7);
  return text;
}

TEST(Hash, DependsOnEveryByteOfTheText) {
  std::set<std::uint64_t> seen;
  std::size_t texts = 0;
  for (std::size_t size = 0; size <= max_size; ++size) {
    seen.insert(hash_of(text_of(size), 1));
    ++texts;
    for (std::size_t i = 0; i < size; ++i) {
      for (const char other : {'\0', 'z', '\xff'}) {
        std::string text = text_of(size);
        text[i] = other;
        seen.insert(hash_of(text, 1));
        ++texts;
      }
    }
  }
  EXPECT_EQ(seen.size(), texts);
  EXPECT_NE(hash_of("a", 1), hash_of("a", 2));
}

TEST(Hash, IsIndependentOfSurroundingBytes) {
  for (std::size_t size = 0; size <= max_size; ++size) {
    const std::string alone = text_of(size);
    const std::string among = "xyz" + alone + "xyz";
    EXPECT_EQ(hash_of(std::string_view(among).substr(3, size), 1), hash_of(alone, 1)) << size;
  }
}

}  // namespace
}  // namespace pintle
