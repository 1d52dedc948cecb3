#include <pintle/base/hash.hpp>

#include <set>
#include <string>

#include <gtest/gtest.h>

namespace pintle {
namespace {

// Whatever the length: the text is read in parts of eight, four and one.
TEST(Hash, EveryByteAndTheLengthOfATextCount) {
  std::set<std::uint64_t> seen;
  std::size_t texts = 0;
  for (std::size_t size = 0; size <= 40; ++size) {
    std::string text(size, 'a');
    EXPECT_TRUE(seen.insert(hash_of(text, 7)).second) << size;
    for (std::size_t at = 0; at < size; ++at) {
      text[at] = '\xff';
      EXPECT_TRUE(seen.insert(hash_of(text, 7)).second) << at << " of " << size;
      text[at] = 'a';
    }
    texts += 1 + size;
  }
  EXPECT_EQ(seen.size(), texts);
}

TEST(Hash, TheSameTextWithTheSameSeedIsTheSameWhereverItLies) {
  const std::string text = "default/frontend-1";
  for (std::size_t size = 0; size <= text.size(); ++size) {
    const std::string moved = "x" + text.substr(0, size);
    EXPECT_EQ(hash_of(std::string_view(moved).substr(1), 7), hash_of(std::string_view(text).substr(0, size), 7))
        << size;
    EXPECT_NE(hash_of(text.substr(0, size), 7), hash_of(text.substr(0, size), 8)) << size;
  }
}

}  // namespace
}  // namespace pintle
