// SPDX-License-Identifier: Apache-2.0
#include "hash.hpp"

#include <string>

#include <gtest/gtest.h>

namespace pintle::json {
namespace {

TEST(SameText, IsTheSameWhenEveryByteIs) {
  for (std::size_t size = 0; size <= 70; ++size) {  // reaches all branches of the comparison and their limits
    const std::string text(size, 'a');
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
