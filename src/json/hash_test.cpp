#include "hash.hpp"

#include <string>

#include <gtest/gtest.h>

namespace pintle::json {
namespace {

constexpr std::size_t longest = 70;  // all ways through, and their borders

std::string text_of(std::size_t size) {
  std::string text;
  for (std::size_t i = 0; i < size; ++i) text += static_cast<char>('a' + i % 7);
  return text;
}

TEST(SameText, IsTheSameWhenEveryByteIs) {
  for (std::size_t size = 0; size <= longest; ++size) {
    const std::string text = text_of(size);
    EXPECT_TRUE(same_text(text, std::string(text))) << size;
    EXPECT_FALSE(same_text(text, text + "a")) << size;
    for (std::size_t i = 0; i < size; ++i) {
      std::string other = text;
      other[i] = 'z';
      EXPECT_FALSE(same_text(text, other)) << size << " " << i;
    }
  }
}

}  // namespace
}  // namespace pintle::json
