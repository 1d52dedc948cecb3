// SPDX-License-Identifier: Apache-2.0
#include <pintle/json/three_way.hpp>

#include <gtest/gtest.h>

#include <pintle/json/patch.hpp>

#include "json/random_values.hpp"

namespace pintle::json {
namespace {

TEST(ThreeWayDiff, ChangesOurMembersAndKeepsForeignOnes) {
  const struct {
    const char *base, *current, *wanted, *patch;
  } cases[] = {
      {"{}", "{}", "{}", "{}"},
      {"{}", "{}", R"({"a":1})", R"({"a":1})"},
      {"{}", R"({"a":1})", R"({"a":1})", "{}"},
      {"{}", R"({"a":1})", R"({"a":2})", R"({"a":2})"},
      {"{}", R"({"a":1.0})", R"({"a":1})", "{}"},
      // Members of others, and members that were ours.
      {"{}", R"({"a":1,"theirs":2})", R"({"a":1})", "{}"},
      {R"({"a":1,"ours":2})", R"({"a":1,"ours":2})", R"({"a":1})", R"({"ours":null})"},
      {R"({"a":1,"ours":2})", R"({"a":1})", R"({"a":1})", "{}"},
      {R"({"s":{"a":1,"b":2}})", R"({"s":{"a":1,"b":2,"c":3}})", R"({"s":{"a":1}})", R"({"s":{"b":null}})"},
      {R"({"s":{"a":1}})", R"({"s":{"a":1}})", "{}", R"({"s":null})"},
      {"null", R"({"a":1})", R"({"a":1})", "{}"},
      // A member changes its type.
      {"{}", R"({"s":1})", R"({"s":{"a":1}})", R"({"s":{"a":1}})"},
      // Lists, also with defaults that a server filled in.
      {"{}", R"({"l":[1,2]})", R"({"l":[1,2]})", "{}"},
      {"{}", R"({"l":[1,2]})", R"({"l":[2,1]})", R"({"l":[2,1]})"},
      {"{}", R"({"l":[1,2]})", R"({"l":[1]})", R"({"l":[1]})"},
      {"{}", R"({"l":[{"n":"a","default":1}]})", R"({"l":[{"n":"a"}]})", "{}"},
      {"{}", R"({"l":[{"n":"a","default":1}]})", R"({"l":[{"n":"b"}]})", R"({"l":[{"n":"b"}]})"},
      {R"({"l":[{"n":"a","x":1}]})", R"({"l":[{"n":"a","x":1}]})", R"({"l":[{"n":"a"}]})", R"({"l":[{"n":"a"}]})"},
      // A null counts as a missing member.
      {"{}", R"({"a":1})", R"({"a":null})", "{}"},
      {R"({"a":1})", R"({"a":1})", R"({"a":null})", R"({"a":null})"},
  };
  for (const auto& one : cases) {
    EXPECT_EQ(print(create_three_way_merge_patch(*parse(one.base), *parse(one.current), *parse(one.wanted))), one.patch)
        << one.base << " " << one.current << " " << one.wanted;
  }
}

TEST(ThreeWayDiff, LeavesNothingToChange) {
  Random random(7);
  for (int i = 0; i < 5'000; ++i) {
    const Value base = random_value(random);
    Value current = random_edit(random, base);
    const Value wanted = random_edit(random, base);
    if (!current.is_object() || !wanted.is_object()) continue;
    const std::string before = print(current);
    apply_merge_patch(current, create_three_way_merge_patch(base, current, wanted));
    ASSERT_EQ(print(create_three_way_merge_patch(base, current, wanted)), "{}") << before << "\n" << print(wanted);
  }
}

}  // namespace
}  // namespace pintle::json
