// SPDX-License-Identifier: Apache-2.0
#include <pintle/object/object.hpp>

#include <gtest/gtest.h>

#include <pintle/base/result.hpp>
#include <pintle/json/value.hpp>

namespace pintle {
namespace {

constexpr std::string_view pod = R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","namespace":"n","uid":"u",
    "resourceVersion":"42","generation":3,"labels":{"app":"web"},"annotations":{"x/y":"z"},"finalizers":["f/g"],
    "ownerReferences":[{"kind":"ReplicaSet"}],"deletionTimestamp":"2026-01-02T03:04:05Z"},"spec":{"nodeName":"node"}})";

TEST(Object, ReadsItsMetadata) {
  const Object object = *Object::parse(pod);
  EXPECT_EQ(object.group_version_kind(), GroupVersionKind("v1", "Pod"));
  EXPECT_EQ(object.key(), (ObjectKey{"n", "a"}));
  EXPECT_EQ(object.uid(), "u");
  EXPECT_EQ(object.resource_version(), "42");
  EXPECT_EQ(object.generation(), 3);
  EXPECT_EQ(object.label("app"), "web");
  EXPECT_EQ(object.label("none"), "");
  EXPECT_EQ(object.annotation("x/y"), "z");
  EXPECT_TRUE(object.finalizers().element(0) == "f/g");
  EXPECT_TRUE(object["/metadata/ownerReferences/0/kind"] == "ReplicaSet");
  EXPECT_TRUE(object.is_deleting());
  EXPECT_TRUE(object["/spec/nodeName"] == "node");
}

TEST(Object, OfNothingIsMissingEverywhere) {
  const Object none;
  EXPECT_FALSE(none.exists());
  EXPECT_EQ(none.name(), "");
  EXPECT_EQ(none.generation(), 0);
  EXPECT_FALSE(none.is_deleting());
  EXPECT_FALSE(none["/spec"].exists());
}

TEST(Object, EqualsByValue) {
  const Object a = *Object::parse(pod);
  const Object b = *Object::parse(pod);
  EXPECT_FALSE(a.is_same_document(b));
  EXPECT_TRUE(a == b);
  EXPECT_TRUE(a == Object(a.to_value()));
  EXPECT_FALSE(a == *Object::parse(R"({"kind":"Pod"})"));
}

TEST(Object, IsParsedFromAnObjectOnly) {
  for (const char* text : {"", "[]", "1", "{", "null"}) EXPECT_FALSE(Object::parse(text)) << text;
}

// The versions of one resource are decimal numbers of any length (KEP-5504, trap 12).
TEST(ResourceVersion, ComparesAsADecimalOfAnyLength) {
  EXPECT_EQ(*compare_resource_versions("9", "10"), std::strong_ordering::less);
  EXPECT_EQ(*compare_resource_versions("340282366920938463463374607431768211456", "99"), std::strong_ordering::greater);
  EXPECT_EQ(*compare_resource_versions("42", "42"), std::strong_ordering::equal);
  for (const char* bad : {"", "0", "01", "a", "-1", "1 ", "1.0"}) {
    EXPECT_FALSE(compare_resource_versions(bad, "1")) << bad;
    EXPECT_FALSE(compare_resource_versions("1", bad)) << bad;
  }
}

}  // namespace
}  // namespace pintle
