#include <pintle/object/names.hpp>

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace pintle::names {
namespace {

struct Check {
  const char* name;
  Fault (*fault)(std::string_view);
  std::vector<std::string> good;
  std::vector<std::string> bad;
};

std::string repeated(std::size_t count, const char* text = "a") {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) out += text;
  return out;
}

TEST(Names, TakesWhatKubernetesTakes) {
  const Check checks[] = {
      {"subdomain",
       subdomain_fault,
       {"a", "0", "a-b.c", "example.com", repeated(253)},
       {"", "A", "a_b", "-a", "a-", "a..b", ".a", "a.", "a b", "é", "Bad_Name", repeated(254)}},
      {"label", label_fault, {"a", "0a", "a-b", repeated(63)}, {"", "a.b", "-a", "a-", "A", repeated(64)}},
      {"rfc1035", rfc1035_fault, {"a", "a-0", repeated(63)}, {"", "0a", "a.b", "A", "-a", "a-", repeated(64)}},
      {"qualified name",
       qualified_name_fault,
       {"app", "App_1.x", "example.com/app", "a/b", repeated(253) + "/" + repeated(63)},
       {"", "a b", "/a", "a/", "a/b/c", "A.com/a", "-a", "a_", repeated(64), repeated(254) + "/a"}},
      {"finalizer",
       finalizer_fault,
       {"example.com/a", "foregroundDeletion", "orphan", "kubernetes"},
       {"a", "", "a b/c", "Example.com/a"}},
      {"label value", label_value_fault, {"", "a", "A_b.c-1", repeated(63)}, {"-a", "a.", "a b", "a/b", repeated(64)}},
      {"data key",
       data_key_fault,
       {"a", "A_b.c-1", ".dotfile", "-", repeated(253)},
       {"", ".", "..", "..a", "a/b", "a b", repeated(254)}},
      {"path segment", path_segment_fault, {"a", "system:admin", "A b"}, {"", ".", "..", "a/b", "a%20"}},
  };
  for (const Check& check : checks) {
    for (const std::string& name : check.good) {
      EXPECT_EQ(check.fault(name), std::nullopt) << check.name << " " << name << ": " << *check.fault(name);
    }
    for (const std::string& name : check.bad) EXPECT_NE(check.fault(name), std::nullopt) << check.name << " " << name;
  }
}

TEST(Names, SaysWhatIsWrong) {
  EXPECT_EQ(label_fault(repeated(64)), "must be at most 63 characters");
  EXPECT_EQ(qualified_name_fault("a/b/c"), "must have at most one \"/\"");
  EXPECT_EQ(qualified_name_fault("x y/a"), "the prefix part " + *subdomain_fault("x y"));
  EXPECT_EQ(finalizer_fault("cleanup"), "must have a prefix, such as \"example.com/cleanup\"");
}

TEST(Names, GeneratesFromASeed) {
  Random random(1);
  const std::string name = generate("web-", random);
  EXPECT_EQ(name.size(), 9U);
  EXPECT_TRUE(name.starts_with("web-"));
  EXPECT_NE(generate("web-", random), name);
  Random again(1);
  EXPECT_EQ(generate("web-", again), name);
  EXPECT_EQ(label_fault(generate(repeated(100), random)), std::nullopt);
}

}  // namespace
}  // namespace pintle::names
