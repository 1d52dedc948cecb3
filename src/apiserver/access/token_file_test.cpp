// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <pintle/apiserver/users.hpp>

namespace pintle {
namespace {

TEST(TokenFile, ContainsOneUserInEachLine) {
  const auto users = parse_token_file("t1,bob,bob-uid,\"dev, ops\"\n\nt2,dave,dave-uid\nt3,\"a \"\"b\"\"\",,one\n");
  ASSERT_TRUE(users) << users.error().message;
  ASSERT_EQ(users->size(), 3U);
  EXPECT_EQ((*users)[0].token, "t1");
  EXPECT_EQ((*users)[0].name, "bob");
  EXPECT_EQ((*users)[0].uid, "bob-uid");
  EXPECT_EQ((*users)[0].groups, (std::vector<std::string>{"dev", "ops"}));
  EXPECT_TRUE((*users)[1].groups.empty());
  EXPECT_EQ((*users)[2].name, "a \"b\"");
}

TEST(TokenFile, AMistakeNamesTheLine) {
  const auto mistake = [](const char* text) { return parse_token_file(text).error().message; };
  EXPECT_EQ(mistake("t,bob\n"), "line 1: write TOKEN,NAME,UID or TOKEN,NAME,UID,\"GROUP,GROUP\"");
  EXPECT_EQ(mistake("t,bob,u\n,eve,v\n"), "line 2: the token is empty");
  EXPECT_EQ(mistake("t,,u\n"), "line 1: the name of the user is empty");
  EXPECT_EQ(mistake("t,bob,u\nt,eve,v\n"), "line 2: another line contains the same token");
}

}  // namespace
}  // namespace pintle
