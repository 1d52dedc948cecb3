// SPDX-License-Identifier: Apache-2.0
#include <pintle/json/difference.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <pintle/base/result.hpp>

namespace pintle::json {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> between(const char* before, const char* after, std::size_t most = 16) {
  const Document a = Document::parse(before).value();
  const Document b = Document::parse(after).value();
  return changed_pointers(a.root(), b.root(), most);
}

TEST(ChangedPointers, NamesTheDeepestPlacesThatDiffer) {
  EXPECT_THAT(
      between(R"({"spec":{"a":1,"b":{"c":2,"d":3}},"status":1})", R"({"spec":{"a":1,"b":{"c":4,"d":3}},"status":2})"),
      ElementsAre("/spec/b/c", "/status"));
}

TEST(ChangedPointers, NamesAddedAndRemovedPlaces) {
  EXPECT_THAT(between(R"({"old":1,"same":1})", R"({"same":1,"new":{"x":1}})"), ElementsAre("/new", "/old"));
}

TEST(ChangedPointers, GoesIntoListsOfOneLengthOnly) {
  EXPECT_THAT(between(R"({"l":[1,{"a":1}]})", R"({"l":[1,{"a":2}]})"), ElementsAre("/l/1/a"));
  EXPECT_THAT(between(R"({"l":[1,2]})", R"({"l":[1,2,3]})"), ElementsAre("/l"));
}

TEST(ChangedPointers, IsEmptyForEqualDocumentsInAnyOrder) {
  EXPECT_THAT(between(R"({"a":1,"b":1.0})", R"({"b":1,"a":1})"), IsEmpty());
}

TEST(ChangedPointers, EscapesNames) { EXPECT_THAT(between(R"({"a/b~":1})", R"({"a/b~":2})"), ElementsAre("/a~1b~0")); }

TEST(ChangedPointers, StopsAtTheMaximum) {
  EXPECT_THAT(between("{}", R"({"a":1,"b":1,"c":1})", 2), ElementsAre("/a", "/b"));
}

TEST(ChangedPointers, ADifferentTypeOrAMissingPartIsOnePlace) {
  EXPECT_THAT(between(R"({"a":{"b":1}})", R"({"a":[1]})"), ElementsAre("/a"));
  EXPECT_THAT(changed_pointers(View(), Document::parse("{}").value().root()), ElementsAre(""));
}

}  // namespace
}  // namespace pintle::json
