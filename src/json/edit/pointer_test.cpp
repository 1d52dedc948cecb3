// SPDX-License-Identifier: Apache-2.0
#include <pintle/json/pointer.hpp>

#include <gtest/gtest.h>

namespace pintle::json {
namespace {

// The examples of RFC 6901, section 5.
TEST(Pointer, FindsEveryExampleOfTheRfc) {
  const Value document =
      *parse(R"({"foo":["bar","baz"],"":0,"a/b":1,"c%d":2,"e^f":3,"g|h":4,"i\\j":5,"k\"l":6," ":7,"m~n":8})");
  const struct {
    const char* pointer;
    const char* value;
  } cases[] = {
      {"/foo", R"(["bar","baz"])"},
      {"/foo/0", "\"bar\""},
      {"/", "0"},
      {"/a~1b", "1"},
      {"/c%d", "2"},
      {"/e^f", "3"},
      {"/g|h", "4"},
      {"/i\\j", "5"},
      {"/k\"l", "6"},
      {"/ ", "7"},
      {"/m~0n", "8"},
  };
  for (const auto& one : cases) {
    const Value* found = find(document, one.pointer);
    ASSERT_NE(found, nullptr) << one.pointer;
    EXPECT_EQ(print(*found), one.value);
  }
  EXPECT_EQ(find(document, ""), &document);
}

TEST(Pointer, SplitsAndEscapes) {
  EXPECT_EQ(*split_pointer("/metadata/labels/a~1b~01"), (std::vector<std::string>{"metadata", "labels", "a/b~1"}));
  EXPECT_TRUE(split_pointer("")->empty());
  EXPECT_FALSE(split_pointer("a/b"));
  EXPECT_EQ(escape_token("a/b~c"), "a~1b~0c");
  EXPECT_EQ(unescape_token("a~1b~0c~2~"), "a/b~c~2~");
}

TEST(Pointer, SetCreatesTheObjectsOnTheWay) {
  Value value;
  ASSERT_TRUE(set(value, "/spec/list", array()));
  ASSERT_TRUE(set(value, "/spec/list/-", 1));
  ASSERT_TRUE(set(value, "/spec/list/1/a~1b", 2));
  ASSERT_TRUE(set(value, "/spec/list/0", 0));
  EXPECT_EQ(print(value), R"({"spec":{"list":[0,{"a/b":2}]}})");
}

TEST(Pointer, SetChangesNothingIfItFails) {
  Value value = *parse(R"({"text":"t","list":[1]})");
  for (const char* pointer : {"/text/a", "/list/5", "/list/x", "/list/01/a", "text"}) {
    const auto done = set(value, pointer, 1);
    ASSERT_FALSE(done) << pointer;
    EXPECT_EQ(done.error().code, ErrorCode::invalid);
    EXPECT_EQ(print(value), R"({"text":"t","list":[1]})");
  }
  EXPECT_EQ(set(value, "/text/a", 1).error().message,
            R"(cannot set "/text/a": the parent of "/text/a" is neither an object nor a list with this index)");
}

TEST(Pointer, EraseReturnsWhetherItErased) {
  Value value = *parse(R"({"a":{"b":1,"c":2,"d":3},"l":[1,2,3]})");
  EXPECT_TRUE(erase(value, "/a/b"));
  EXPECT_TRUE(erase(value, "/l/1"));
  for (const char* pointer : {"/a/b", "/l/2", "/l/-", "/none/x", "", "a"})
    EXPECT_FALSE(erase(value, pointer)) << pointer;
  EXPECT_EQ(print(value), R"({"a":{"c":2,"d":3},"l":[1,3]})");
}

}  // namespace
}  // namespace pintle::json
