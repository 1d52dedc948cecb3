// SPDX-License-Identifier: Apache-2.0
#include <pintle/object/precondition.hpp>

#include <gtest/gtest.h>

#include <pintle/object/merge/strategic.hpp>

namespace pintle {
namespace {

const json::Value old_object = json::parse(R"({"metadata":{"name":"a","resourceVersion":"7"},"size":1})").value();
const json::Value new_object = json::parse(R"({"metadata":{"name":"a","resourceVersion":"7"},"size":2})").value();

TEST(RequireVersion, IsInEachKindOfPatch) {
  json::Patch patch = json::diff(old_object, new_object);
  require_resource_version(patch, old_object);
  EXPECT_EQ(json::print(patch.operations), R"([{"op":"test","path":"/metadata/resourceVersion","value":"7"},)"
                                           R"({"op":"replace","path":"/size","value":2}])");
  json::Value merge = json::create_merge_patch(old_object, new_object);
  require_resource_version(merge, old_object);
  EXPECT_EQ(json::print(merge), R"({"size":2,"metadata":{"resourceVersion":"7"}})");
  json::Value strategic = create_strategic_patch(old_object, new_object).value();
  require_resource_version(strategic, old_object);
  EXPECT_EQ(strategic, merge);
}

TEST(RequireVersion, LeavesAnEmptyPatchEmpty) {
  json::Patch patch = json::diff(old_object, old_object);
  require_resource_version(patch, old_object);
  EXPECT_TRUE(patch.empty());
  json::Value merge = json::create_merge_patch(old_object, old_object);
  require_resource_version(merge, old_object);
  EXPECT_EQ(json::print(merge), "{}");
}

TEST(RequireVersion, ChangesNothingIfTheBaseHasNoVersion) {
  const json::Value base = json::parse(R"({"size":1})").value();
  json::Value merge = json::create_merge_patch(base, new_object);
  const std::string before = json::print(merge);
  require_resource_version(merge, base);
  EXPECT_EQ(json::print(merge), before);
}

}  // namespace
}  // namespace pintle
