// SPDX-License-Identifier: Apache-2.0
#include <pintle/object/template_hash.hpp>

#include <set>

#include <gtest/gtest.h>

#include <pintle/object/names.hpp>

namespace pintle {
namespace {

TEST(TemplateHash, IsTheSameInEveryVersion) {
  EXPECT_EQ(template_hash(json::Value{{"a", 1}, {"b", {"x", nullptr, true, 1.5}}}), "gmj6m4zmcl");
}

TEST(TemplateHash, DoesNotDependOnTheOrderOfMembers) {
  EXPECT_EQ(template_hash(json::Value{{"a", 1}, {"b", 2}}), template_hash(json::Value{{"b", 2}, {"a", 1}}));
  EXPECT_NE(template_hash(json::Value{{"a", 1}, {"b", 2}}), template_hash(json::Value{{"a", 2}, {"b", 1}}));
  EXPECT_NE(template_hash(json::Value{1, 2, 3}), template_hash(json::Value{3, 2, 1})) << "the order of a list counts";
}

TEST(TemplateHash, FitsInNamesAndLabels) {
  for (int i = 0; i < 1000; ++i) {
    const std::string hash = template_hash(json::Value{{"n", i}});
    EXPECT_EQ(hash.size(), 10U);
    EXPECT_FALSE(names::validate_dns1123_label("a" + hash)) << hash;
    EXPECT_FALSE(names::validate_label_value(hash)) << hash;
  }
}

TEST(TemplateHash, DiffersForDifferentValues) {
  std::set<std::string> hashes;
  for (int i = 0; i < 100'000; ++i) hashes.insert(template_hash(json::Value{{"n", i}}));
  EXPECT_EQ(hashes.size(), 100'000U);
}

}  // namespace
}  // namespace pintle
