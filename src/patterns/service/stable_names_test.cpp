// SPDX-License-Identifier: Apache-2.0
#include <pintle/patterns/service/stable_names.hpp>

#include <gtest/gtest.h>

namespace pintle::service {
namespace {

// Names of up to 63 characters are not changed (T3-27).
TEST(ServiceNames, OfUpTo63CharactersAreUnchanged) {
  const std::string longest(63, 'x');
  EXPECT_EQ(*shorten_name(longest), longest);
  EXPECT_EQ(*request_name("Provider", "Demo", "wl"), "provider--demo--wl");
}

// Longer names are shortened before their suffix (T3-27). The hashes are those of Python's hashlib.shake_128.
TEST(ServiceNames, LongerOnesAreShortenedBeforeTheirSuffix) {
  const std::string object(60, 'n');
  const auto name = request_name("provider", object, "mcp");
  EXPECT_EQ(*name, "provider--" + std::string(38, 'n') + "--mlzukgd3--mcp");
  EXPECT_EQ(name->size(), 63U);
  EXPECT_EQ(*request_name("provider", object, "mcp"), *name);
  EXPECT_NE(*request_name("provider", object + "n", "mcp"), *name);
  EXPECT_EQ(*shorten_name(std::string(64, 'x')), std::string(53, 'x') + "--cneel24u");
}

// A name is not cut after a dot or a dash (T3-27).
TEST(ServiceNames, AreNotCutAfterADotOrADash) {
  const std::string object = std::string(37, 'a') + "-.-" + std::string(30, 'b');
  EXPECT_EQ(*request_name("provider", object, "mcp"), "provider--" + std::string(37, 'a') + "--4rf2prol--mcp");
}

TEST(ServiceNames, RefuseALimitThatIsTooShort) {
  EXPECT_EQ(shorten_name("a-name-of-some-length", 10).error().message,
            "a name cannot be shortened to 10 characters: at least 11 are required");
  EXPECT_EQ(shorten_name("a-name-of-some-length", 11)->size(), 11U);
  EXPECT_EQ(request_name("a", "b", std::string(61, 's')).error().message,
            "the suffix \"" + std::string(61, 's') + "\" leaves no room for a name: shorten the suffix");
}

TEST(ServiceNames, OfMcpNamespacesAreAUuidOfTheKey) {
  EXPECT_EQ(*mcp_namespace({"project-x", "demo"}), "mcp--1f082d5c-49c9-8503-b92b-bbbf92a5b6e9");
  EXPECT_EQ(*mcp_namespace({"default", "demo"}), "mcp--44f5b4d6-1a92-831c-80e1-947038bc8b39");
  EXPECT_EQ(*mcp_namespace({"", "demo"}), *mcp_namespace({"default", "demo"}));
}

}  // namespace
}  // namespace pintle::service
