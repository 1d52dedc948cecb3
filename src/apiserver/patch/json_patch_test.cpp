// SPDX-License-Identifier: Apache-2.0
#include "json_patch.hpp"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace pintle::apiserver {
namespace {

// Returns the result of a patch as text, or its error.
std::string patched(std::string_view object, std::string_view operations) {
  json::Value value = json::parse(object).value();
  const json::Value patch = json::parse(operations).value();
  const auto done = apply_json_patch(value, patch.get_array());
  return done ? json::print(value) : done.error().message;
}

TEST(JsonPatch, ReplaceAddsAMissingMember) {
  EXPECT_EQ(patched(R"({"a":1})", R"([{"op":"replace","path":"/b","value":2}])"), R"({"a":1,"b":2})");
  EXPECT_EQ(patched(R"({"a":[1]})", R"([{"op":"replace","path":"/a/1","value":2}])"),
            "replace operation does not apply: doc is missing key: /a/1: missing value");
  EXPECT_EQ(patched(R"({"a":1})", R"([{"op":"replace","path":"/b/c","value":2}])"),
            "replace operation does not apply: doc is missing path: /b/c: missing value");
  EXPECT_EQ(patched(R"({"a":1})", R"([{"op":"replace","path":"","value":{"b":2}}])"), R"({"b":2})");
  EXPECT_EQ(patched(R"({"a":1})", R"([{"op":"replace","path":"","value":2}])"), R"({"a":1})");
}

TEST(JsonPatch, AMissingMemberIsNullForATest) {
  EXPECT_EQ(patched("{}", R"([{"op":"test","path":"/a","value":null}])"), "{}");
  EXPECT_EQ(patched("{}", R"([{"op":"test","path":"/a","value":1}])"), "testing value /a failed: test failed");
  EXPECT_EQ(patched(R"({"a":1})", R"([{"op":"test","path":"/a","value":1}])"), R"({"a":1})");
  EXPECT_EQ(patched("{}", R"([{"op":"test","path":"/a/b","value":1}])"),
            "test operation does not apply: is missing path: /a/b: missing value");
}

TEST(JsonPatch, NegativeIndicesCountFromTheEnd) {
  EXPECT_EQ(patched(R"({"a":[1,2,3]})", R"([{"op":"remove","path":"/a/-1"}])"), R"({"a":[1,2]})");
  EXPECT_EQ(patched(R"({"a":[1,2]})", R"([{"op":"add","path":"/a/-1","value":3}])"), R"({"a":[1,2,3]})");
  EXPECT_EQ(patched(R"({"a":[1]})", R"([{"op":"remove","path":"/a/-2"}])"),
            "error in remove for path: '/a/-2': Unable to access invalid index: -2: invalid index referenced");
}

TEST(JsonPatch, ErrorsNameTheOperation) {
  EXPECT_EQ(patched("{}", R"([{"op":"add","path":"/a/b","value":1}])"),
            "add operation does not apply: doc is missing path: \"/a/b\": missing value");
  EXPECT_EQ(patched(R"({"a":[]})", R"([{"op":"add","path":"/a/2","value":1}])"),
            "error in add for path: '/a/2': Unable to access invalid index: 2: invalid index referenced");
  EXPECT_EQ(patched(R"({"a":[]})", R"([{"op":"add","path":"/a/x","value":1}])"),
            "error in add for path: '/a/x': value was not a proper array index: 'x': strconv.Atoi: parsing \"x\": "
            "invalid syntax");
  EXPECT_EQ(patched("{}", R"([{"op":"remove","path":"/a"}])"),
            "error in remove for path: '/a': Unable to remove nonexistent key: a: missing value");
  EXPECT_EQ(patched("{}", R"([{"op":"move","from":"/a","path":"/b"}])"),
            "error in move for path: 'a': Unable to remove nonexistent key: a: missing value");
  EXPECT_EQ(patched(R"({"a":1})", R"([{"op":"copy","from":"/a","path":"/b/c"}])"),
            "copy operation does not apply: doc is missing destination path: /b/c: missing value");
  EXPECT_EQ(patched("{}", R"([{"op":"frobnicate","path":"/a"}])"), "Unexpected kind: frobnicate");
  EXPECT_EQ(patched("{}", R"([{"op":"remove"}])"), "remove operation failed to decode path: missing value");
}

TEST(JsonPatch, MovesAndCopies) {
  EXPECT_EQ(patched(R"({"a":1})", R"([{"op":"move","from":"/a","path":"/b~1c"}])"), R"({"b/c":1})");
  EXPECT_EQ(patched(R"({"a":[1]})", R"([{"op":"copy","from":"/a/0","path":"/a/-"}])"), R"({"a":[1,1]})");
  EXPECT_EQ(patched("{}", R"([{"op":"copy","from":"/a","path":"/b"}])"), R"({"b":null})");
}

TEST(JsonPatch, CannotMakeADocumentTooDeepOrTooLarge) {
  const auto deep = [](const std::string& path) {
    return R"([{"op":"add","path":")" + path + R"(","value":)" + std::string(198, '[') + std::string(198, ']') + "}]";
  };
  EXPECT_TRUE(patched(R"({"a":{"a":{}}})", deep("/a/b")).starts_with("{"));
  EXPECT_EQ(patched(R"({"a":{"a":{}}})", deep("/a/a/a")),
            "error in add for path: '/a/a/a': the result would be nested deeper than 200 levels");
  std::string copies;
  for (int i = 0; i < 40; ++i) copies += R"({"op":"copy","from":"/a","path":"/a/-"},)";
  EXPECT_NE(patched(R"({"a":["x"]})", "[" + copies + R"({"op":"test","path":"/b","value":null}])").find("copy"),
            std::string::npos);
}

}  // namespace
}  // namespace pintle::apiserver
