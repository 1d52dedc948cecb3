// SPDX-License-Identifier: Apache-2.0
#include "new/render.hpp"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace pintle::tools {
namespace {

const RenderInput input{.values = {{"name", "shop"}, {"kind", "@name@"}}, .conditions = {"guard", "webhook"}};

TEST(Render, ReplacesPlaceholdersOnce) {
  EXPECT_EQ(render("a @name@ b @name@\n@kind@", input).value(), "a shop b shop\n@name@");
}

TEST(Render, KeepsAtSignsThatAreNoPlaceholder) {
  for (const char* text : {"uses: actions/checkout@v4\n", "a @ b @ c\n", "@", "@Name@", "\"$@\" '@'\n", "\n\n"}) {
    EXPECT_EQ(render(text, input).value(), text);
  }
  EXPECT_EQ(render("", input).value(), "");
}

TEST(Render, KeepsTheLinesOfConditionsThatHold) {
  const std::string text =
      "1\n@if webhook@\n2\n@end@\n@if plain guard@\n3\n@end@\n@if plain crud@\n4\n@end@\n"
      "@if !webhook@\n5\n@end@\n@if !plain@\n6 @name@\n@end@\n7";
  EXPECT_EQ(render(text, input).value(), "1\n2\n3\n6 shop\n7");
}

TEST(Render, DoesNotReplaceInLinesThatAreRemoved) {
  EXPECT_EQ(render("@if plain@\n@missing@\n@end@\n", input).value(), "");
}

TEST(Render, NamesTheLineOfAnError) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"a\n@missing@\n", "line 2: @missing@ has no value"},
      {"@if guard@\na\n", "line 2: a block without @end@"},
      {"a\n@end@\n", "line 2: @end@ without @if@"},
      {"@if guard@\n@if webhook@\n@end@\n", "line 2: a block begins in another one"},
  };
  for (const auto& [text, message] : cases) {
    const auto rendered = render(text, input);
    ASSERT_FALSE(rendered) << text;
    EXPECT_EQ(rendered.error().message, message);
    EXPECT_EQ(rendered.error().code, ErrorCode::invalid);
  }
}

}  // namespace
}  // namespace pintle::tools
