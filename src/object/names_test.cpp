// SPDX-License-Identifier: Apache-2.0
#include <pintle/object/names.hpp>

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace pintle::names {
namespace {

struct Check {
  const char* name;
  ValidationError (*error)(std::string_view);
  std::vector<std::string> good;
  std::vector<std::string> bad;
};

std::string repeated(std::size_t count, const char* text = "a") {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) out += text;
  return out;
}

TEST(Names, AreAcceptedAndRefusedLikeInKubernetes) {
  const Check checks[] = {
      {"subdomain",
       validate_dns1123_subdomain,
       {"a", "0", "a-b.c", "example.com", repeated(253)},
       {"", "A", "a_b", "-a", "a-", "a..b", ".a", "a.", "a b", "é", "Bad_Name", repeated(254)}},
      {"label", validate_dns1123_label, {"a", "0a", "a-b", repeated(63)}, {"", "a.b", "-a", "a-", "A", repeated(64)}},
      {"rfc1035", validate_dns1035_label, {"a", "a-0", repeated(63)}, {"", "0a", "a.b", "A", "-a", "a-", repeated(64)}},
      {"qualified name",
       validate_qualified_name,
       {"app", "App_1.x", "example.com/app", "a/b", repeated(253) + "/" + repeated(63)},
       {"", "a b", "/a", "a/", "a/b/c", "A.com/a", "-a", "a_", repeated(64), repeated(254) + "/a"}},
      {"finalizer",
       validate_finalizer_name,
       {"example.com/a", "foregroundDeletion", "orphan", "kubernetes"},
       {"a", "", "a b/c", "Example.com/a"}},
      {"label value",
       validate_label_value,
       {"", "a", "A_b.c-1", repeated(63)},
       {"-a", "a.", "a b", "a/b", repeated(64)}},
      {"data key",
       validate_config_map_key,
       {"a", "A_b.c-1", ".dotfile", "-", repeated(253)},
       {"", ".", "..", "..a", "a/b", "a b", repeated(254)}},
      {"path segment", validate_path_segment_name, {"a", "system:admin", "A b"}, {"", ".", "..", "a/b", "a%20"}},
  };
  for (const Check& check : checks) {
    for (const std::string& name : check.good) {
      EXPECT_EQ(check.error(name), std::nullopt) << check.name << " " << name << ": " << *check.error(name);
    }
    for (const std::string& name : check.bad) EXPECT_NE(check.error(name), std::nullopt) << check.name << " " << name;
  }
}

TEST(Names, ErrorsNameTheViolatedRule) {
  EXPECT_EQ(validate_dns1123_label(repeated(64)), "must be at most 63 characters");
  EXPECT_EQ(validate_qualified_name("a/b/c"), "must have at most one \"/\"");
  EXPECT_EQ(validate_qualified_name("x y/a"), "the prefix part " + *validate_dns1123_subdomain("x y"));
  EXPECT_EQ(validate_finalizer_name("cleanup"), "must have a prefix, such as \"example.com/cleanup\"");
}

TEST(Names, GeneratesFromASeed) {
  Random random(1);
  const std::string name = generate("web-", random);
  EXPECT_EQ(name.size(), 9U);
  EXPECT_TRUE(name.starts_with("web-"));
  EXPECT_NE(generate("web-", random), name);
  Random again(1);
  EXPECT_EQ(generate("web-", again), name);
  EXPECT_EQ(validate_dns1123_label(generate(repeated(100), random)), std::nullopt);
}

TEST(Names, CutsALongPrefixSoThatTheRandomPartRemains) {
  Random random(1);
  Random again(1);
  EXPECT_EQ(generate(repeated(59), random), generate(repeated(58), again));
}

}  // namespace
}  // namespace pintle::names
