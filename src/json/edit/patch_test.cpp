// SPDX-License-Identifier: Apache-2.0
#include <pintle/json/patch.hpp>

#include <gtest/gtest.h>

#include <pintle/base/random.hpp>
#include <pintle/json/document.hpp>

#include "json/random_values.hpp"

namespace pintle::json {
namespace {

bool same(const Value& a, const Value& b) { return Document(a).root() == Document(b).root(); }

// Returns the text after the patch, or the reason why the patch did not apply.
std::string patched(const char* target, const char* patch) {
  Value value = *parse(target);
  const auto done = apply_patch(value, parse(patch)->as_array());
  if (!done) {
    EXPECT_EQ(print(value), print(*parse(target))) << "a patch that fails changes nothing";
    return done.error().reason;
  }
  return print(value);
}

struct PatchCase {
  const char* target;
  const char* patch;
  const char* result;
};

// The examples of RFC 6902, appendix A.
TEST(JsonPatch, FollowsTheExamplesOfTheRfc) {
  const PatchCase cases[] = {
      {R"({"foo":"bar"})", R"([{"op":"add","path":"/baz","value":"qux"}])", R"({"foo":"bar","baz":"qux"})"},
      {R"({"foo":["bar","baz"]})", R"([{"op":"add","path":"/foo/1","value":"qux"}])", R"({"foo":["bar","qux","baz"]})"},
      {R"({"baz":"qux","foo":"bar"})", R"([{"op":"remove","path":"/baz"}])", R"({"foo":"bar"})"},
      {R"({"foo":["bar","qux","baz"]})", R"([{"op":"remove","path":"/foo/1"}])", R"({"foo":["bar","baz"]})"},
      {R"({"baz":"qux","foo":"bar"})", R"([{"op":"replace","path":"/baz","value":"boo"}])",
       R"({"baz":"boo","foo":"bar"})"},
      {R"({"foo":{"bar":"baz","waldo":"fred"},"qux":{"corge":"grault"}})",
       R"([{"op":"move","from":"/foo/waldo","path":"/qux/thud"}])",
       R"({"foo":{"bar":"baz"},"qux":{"corge":"grault","thud":"fred"}})"},
      {R"({"foo":["all","grass","cows","eat"]})", R"([{"op":"move","from":"/foo/1","path":"/foo/3"}])",
       R"({"foo":["all","cows","eat","grass"]})"},
      {R"({"baz":"qux","foo":["a",2,"c"]})",
       R"([{"op":"test","path":"/baz","value":"qux"},{"op":"test","path":"/foo/1","value":2}])",
       R"({"baz":"qux","foo":["a",2,"c"]})"},
      {R"({"baz":"qux"})", R"([{"op":"test","path":"/baz","value":"bar"}])", "test_failed"},
      {R"({"foo":"bar"})", R"([{"op":"add","path":"/child","value":{"grandchild":{}}}])",
       R"({"foo":"bar","child":{"grandchild":{}}})"},
      {R"({"foo":"bar"})", R"([{"op":"add","path":"/baz","value":"qux","xyz":123}])", R"({"foo":"bar","baz":"qux"})"},
      {R"({"foo":"bar"})", R"([{"op":"add","path":"/baz/bat","value":"qux"}])", "missing_path"},
      {R"({"/":9,"~1":10})", R"([{"op":"test","path":"/~01","value":10}])", R"({"/":9,"~1":10})"},
      {R"({"/":9,"~1":10})", R"([{"op":"test","path":"/~01","value":"10"}])", "test_failed"},
      {R"({"foo":["bar"]})", R"([{"op":"add","path":"/foo/-","value":["abc","def"]}])",
       R"({"foo":["bar",["abc","def"]]})"},
  };
  for (const PatchCase& one : cases) EXPECT_EQ(patched(one.target, one.patch), one.result) << one.patch;
}

TEST(JsonPatch, HandlesCornerCases) {
  const PatchCase cases[] = {
      {"{}", R"([{"op":"add","path":"","value":[1]}])", "[1]"},
      {R"({"a":1})", R"([{"op":"replace","path":"","value":{}}])", "{}"},
      {R"({"a":1})", R"([{"op":"remove","path":""}])", "malformed"},
      {R"({"a":null})", R"([{"op":"replace","path":"/a","value":1}])", R"({"a":1})"},
      {R"({"a":1})", R"([{"op":"replace","path":"/b","value":1}])", "missing_path"},
      {R"({"a":1})", R"([{"op":"remove","path":"/b"}])", "missing_path"},
      {R"([1,2])", R"([{"op":"add","path":"/2","value":3}])", "[1,2,3]"},
      {R"([1,2])", R"([{"op":"add","path":"/3","value":3}])", "missing_path"},
      {R"([1,2])", R"([{"op":"add","path":"/01","value":3}])", "missing_path"},
      {R"([1,2])", R"([{"op":"replace","path":"/-","value":3}])", "missing_path"},
      {R"([1,2])", R"([{"op":"remove","path":"/2"}])", "missing_path"},
      {R"({"a":{"b":1}})", R"([{"op":"move","from":"/a","path":"/a/b"}])", "malformed"},
      {R"({"a":1,"ab":{}})", R"([{"op":"move","from":"/a","path":"/ab/c"}])", R"({"ab":{"c":1}})"},
      {R"({"a":1})", R"([{"op":"move","from":"/a","path":"/a"}])", R"({"a":1})"},
      {R"({"a":1})", R"([{"op":"copy","from":"/a","path":"/b"}])", R"({"a":1,"b":1})"},
      {R"({"a":1})", R"([{"op":"copy","from":"/x","path":"/b"}])", "missing_path"},
      {R"({"a":1})", R"([{"op":"test","path":"/a","value":1.0}])", R"({"a":1})"},
      {R"({"a":{"x":1,"y":2}})", R"([{"op":"test","path":"/a","value":{"y":2,"x":1}}])", R"({"a":{"x":1,"y":2}})"},
      {R"({"a":1})", R"([{"op":"test","path":"/none","value":null}])", "test_failed"},
      {R"({"a":"text"})", R"([{"op":"add","path":"/a/b","value":1}])", "missing_path"},
      {R"({"a":1})", R"([{"op":"add","path":"/b","value":2},{"op":"test","path":"/a","value":2}])", "test_failed"},
      {R"({"a":1})", R"([{"op":"frobnicate","path":"/a"}])", "malformed"},
      {R"({"a":1})", R"([{"op":"add","path":"/b"}])", "malformed"},
      {R"({"a":1})", R"([{"op":"add","value":1}])", "malformed"},
      {R"({"a":1})", R"([{"op":"add","path":"b","value":1}])", "malformed"},
      {R"({"a":1})", R"([{"op":"move","path":"/b"}])", "malformed"},
      {R"({"a":1})", R"([{"path":"/b"}])", "malformed"},
      {R"({"a":1})", R"([1])", "malformed"},
      {R"({"a":1})", R"([])", R"({"a":1})"},
  };
  for (const PatchCase& one : cases) EXPECT_EQ(patched(one.target, one.patch), one.result) << one.patch;
}

TEST(JsonPatch, ReportsTheFailedOperation) {
  Value value = *parse(R"({"a":1})");
  const Patch patch = Patch{}.add("/b", 2).test("/a", 5);
  EXPECT_EQ(apply_patch(value, patch.operations).error().message,
            "patch operation 1: test \"/a\": the value is 1, expected 5");
}

TEST(JsonPatch, RefusesResultsThatAreTooLargeOrTooDeep) {
  Value value = *parse(R"([1])");
  Patch doubling;
  for (int i = 0; i < 60; ++i) doubling.copy("", "/-");
  EXPECT_EQ(apply_patch(value, doubling.operations).error().message,
            "patch operation 18: copy \"/-\": the copy operations of the patch add more than 16 MiB");
  Value text = object{{"a", std::string(std::size_t{1} << 20U, 'x')}};
  Patch copies;
  for (int i = 0; i < 60; ++i) copies.copy("/a", "/" + std::to_string(i));
  EXPECT_EQ(apply_patch(text, copies.operations).error().message,
            "patch operation 15: copy \"/15\": the copy operations of the patch add more than 16 MiB");
  Patch nesting;
  nesting.replace("", object());
  for (int i = 0; i < 300; ++i) nesting.copy("", "/a");
  EXPECT_EQ(apply_patch(value, nesting.operations).error().message,
            "patch operation 200: copy \"/a\": the result would be nested deeper than 200 levels");
  const Patch deep = Patch{}.replace("/0", *parse(std::string(200, '[') + std::string(200, ']')));
  EXPECT_EQ(apply_patch(value, deep.operations).error().reason, "malformed");
  EXPECT_EQ(print(value), "[1]");
}

TEST(JsonPatch, HasABuilder) {
  const Patch patch =
      Patch{}.test("/v", "5").add("/a", 1).remove("/b").replace("/c", object()).move("/d", "/e").copy("/f", "/g");
  EXPECT_EQ(print(patch.operations), R"([{"op":"test","path":"/v","value":"5"},{"op":"add","path":"/a","value":1},)"
                                     R"({"op":"remove","path":"/b"},{"op":"replace","path":"/c","value":{}},)"
                                     R"({"op":"move","path":"/e","from":"/d"},{"op":"copy","path":"/g","from":"/f"}])");
  EXPECT_FALSE(patch.empty());
  EXPECT_TRUE(Patch{}.empty());
}

TEST(JsonPatch, DiffIsShort) {
  const PatchCase cases[] = {
      {R"({"a":1,"b":2})", R"({"b":2,"a":1.0})", "[]"},
      {R"({"a":1,"b":2})", R"({"b":3,"c":4})",
       R"([{"op":"remove","path":"/a"},{"op":"replace","path":"/b","value":3},{"op":"add","path":"/c","value":4}])"},
      {R"({"l":["aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",2,3]})", R"({"l":["aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",3]})",
       R"([{"op":"remove","path":"/l/1"}])"},
      {R"({"l":[1,2,3]})", R"({"l":[4,5,6]})", R"([{"op":"replace","path":"/l","value":[4,5,6]}])"},
      {R"({"a/b":{"~":1}})", R"({"a/b":{"~":2}})", R"([{"op":"replace","path":"/a~1b/~0","value":2}])"},
      {"1", "2", R"([{"op":"replace","path":"","value":2}])"},
  };
  for (const PatchCase& one : cases)
    EXPECT_EQ(print(diff(*parse(one.target), *parse(one.patch)).operations), one.result) << one.target;
}

TEST(JsonPatch, DiffTurnsOneRandomDocumentIntoTheOther) {
  Random random(3);
  for (int i = 0; i < 10'000; ++i) {
    const Value from = random_value(random);
    const Value to = i % 4 == 0 ? random_value(random) : random_edit(random, from);
    const Patch patch = diff(from, to);
    Value result(from);
    const auto done = apply_patch(result, patch.operations);
    ASSERT_TRUE(done) << done.error().message << "\n" << print(from) << "\n" << print(to);
    ASSERT_TRUE(same(result, to)) << print(from) << "\n" << print(to) << "\n" << print(patch.operations);
    ASSERT_EQ(patch.empty(), same(from, to));
  }
}

// The examples of RFC 7386, appendix A.
TEST(MergePatch, FollowsTheExamplesOfTheRfc) {
  const PatchCase cases[] = {
      {R"({"a":"b"})", R"({"a":"c"})", R"({"a":"c"})"},
      {R"({"a":"b"})", R"({"b":"c"})", R"({"a":"b","b":"c"})"},
      {R"({"a":"b"})", R"({"a":null})", R"({})"},
      {R"({"a":"b","b":"c"})", R"({"a":null})", R"({"b":"c"})"},
      {R"({"a":["b"]})", R"({"a":"c"})", R"({"a":"c"})"},
      {R"({"a":"c"})", R"({"a":["b"]})", R"({"a":["b"]})"},
      {R"({"a":{"b":"c"}})", R"({"a":{"b":"d","c":null}})", R"({"a":{"b":"d"}})"},
      {R"({"a":[{"b":"c"}]})", R"({"a":[1]})", R"({"a":[1]})"},
      {R"(["a","b"])", R"(["c","d"])", R"(["c","d"])"},
      {R"({"a":"b"})", R"(["c"])", R"(["c"])"},
      {R"({"a":"foo"})", R"(null)", R"(null)"},
      {R"({"a":"foo"})", R"("bar")", R"("bar")"},
      {R"({"e":null})", R"({"a":1})", R"({"e":null,"a":1})"},
      {R"([1,2])", R"({"a":"b","c":null})", R"({"a":"b"})"},
      {R"({})", R"({"a":{"bb":{"ccc":null}}})", R"({"a":{"bb":{}}})"},
  };
  for (const PatchCase& one : cases) {
    Value value = *parse(one.target);
    apply_merge_patch(value, *parse(one.patch));
    EXPECT_EQ(print(value), one.result) << one.patch;
  }
}

TEST(MergePatch, DiffContainsOnlyTheChanges) {
  const PatchCase cases[] = {
      {R"({"a":1,"b":{"c":2,"d":3}})", R"({"a":1,"b":{"c":4}})", R"({"b":{"d":null,"c":4}})"},
      {R"({"a":1})", R"({"a":1.0})", "{}"},
      {R"({"l":[1]})", R"({"l":[1,2]})", R"({"l":[1,2]})"},
      {R"({"a":1})", R"([1])", "[1]"},
  };
  for (const PatchCase& one : cases)
    EXPECT_EQ(print(create_merge_patch(*parse(one.target), *parse(one.patch))), one.result);
}

// Removes nulls, because a merge patch cannot express them.
Value without_nulls(const Value& value) {
  if (const auto* members = value.if_object()) {
    object out;
    for (const auto& [key, member] : *members) {
      if (!member.is_null()) out[key] = without_nulls(member);
    }
    return out;
  }
  return value;
}

TEST(MergePatch, DiffTurnsOneRandomObjectIntoTheOther) {
  Random random(5);
  for (int i = 0; i < 5'000; ++i) {
    const Value from = random_value(random);
    const Value to = without_nulls(random_edit(random, from));
    if (!to.is_object()) continue;
    Value result(from);
    apply_merge_patch(result, create_merge_patch(from, to));
    ASSERT_TRUE(same(result, to)) << print(from) << "\n" << print(to);
  }
}

}  // namespace
}  // namespace pintle::json
