// SPDX-License-Identifier: Apache-2.0
#include "new/names.hpp"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace pintle::tools {
namespace {

TEST(ProjectNames, AProjectIsADnsLabel) {
  for (const char* name : {"a", "greeting-operator", "a1", "x--y", "operator", "class"}) {
    EXPECT_TRUE(check_project_name(name)) << name;
  }
  EXPECT_TRUE(check_project_name(std::string(50, 'a')));
  for (const char* name : {"", "A", "1a", "-a", "a-", "a_b", "a.b", "a/b", "../a", "a b", "ä", "a\n"}) {
    EXPECT_FALSE(check_project_name(name)) << name;
  }
  EXPECT_FALSE(check_project_name(std::string(51, 'a')));
}

TEST(ProjectNames, AProjectIsNoTargetOfCMakeNoYamlWordAndNoNamespaceOfKubernetes) {
  for (const char* name :
       {"all", "test", "install", "package", "manifests", "pintle", "on", "null", "default", "kube-system"}) {
    EXPECT_FALSE(check_project_name(name)) << name;
  }
}

TEST(ProjectNames, AKindIsAnIdentifierThatBeginsWithACapitalLetter) {
  for (const char* kind : {"A", "CronTab", "HTTPRoute", "X509", "ConfigMap", "Reconcile"}) {
    EXPECT_TRUE(check_kind(kind, "plain")) << kind;
  }
  for (const char* kind : {"", "cronTab", "1Tab", "Cron_Tab", "Cron-Tab", "Cron Tab", "Ä", "Spec", "Status", "List",
                           "NULL", "EOF", "No", "True", "Test", "Setup"}) {
    EXPECT_FALSE(check_kind(kind, "plain")) << kind;
  }
  EXPECT_TRUE(check_kind("A" + std::string(61, 'b'), "plain"));  // the plural has one more letter
  EXPECT_FALSE(check_kind("A" + std::string(62, 'b') + "c", "plain"));
}

TEST(ProjectNames, AKindIsNoMemberOfABaseClassOfThePattern) {
  for (const char* kind : {"Data", "Meta", "Reconciler"}) {
    EXPECT_TRUE(check_kind(kind, "plain")) << kind;
    const auto wrong = check_kind(kind, "external");
    ASSERT_FALSE(wrong) << kind;
    EXPECT_EQ(wrong.error().message, "is the name of a type of the pattern external");
  }
  EXPECT_FALSE(check_kind("Data", "phased"));
}

TEST(ProjectNames, AGroupIsADomainThatIsNotProtected) {
  for (const char* group : {"example.com", "a.b.c", "1.5", "my-k8s.io", "x.y-z"}) {
    EXPECT_TRUE(check_group(group)) << group;
  }
  for (const char* group : {"", "example", "Example.com", ".com", "a..b", "a.b.", "-a.b", "a_b.c", "k8s.io", "x.k8s.io",
                            "apps.kubernetes.io", "a/b.c"}) {
    EXPECT_FALSE(check_group(group)) << group;
  }
  std::string group = "com";
  while (group.size() < 190) group = "a." + group;
  EXPECT_FALSE(check_group(group)) << "the name of the CRD would be too long";
}

TEST(ProjectNames, AUrlHasNoCharacterThatCMakeInterprets) {
  for (const char* url :
       {"", "https://git.example.com/pintle.git", "git@git.example.com:a/pintle.git", "/src/pintle"}) {
    EXPECT_TRUE(check_git_url(url)) << url;
  }
  for (const char* url : {"a b", "a\"b", "${HOME}/a", "a;b", "a\\b", "--upload-pack=x", "a\n"}) {
    EXPECT_FALSE(check_git_url(url)) << url;
  }
}

TEST(ProjectNames, ATagHasNoCharacterThatCMakeInterprets) {
  for (const char* tag : {"", "v0.1.0", "feature/a", "0123456789abcdef0123456789abcdef01234567"}) {
    EXPECT_TRUE(check_git_tag(tag)) << tag;
  }
  for (const char* tag : {"a b", "a\"b", "$a", "a;b", "a\\b", "--x", "a\n"}) {
    EXPECT_FALSE(check_git_tag(tag)) << tag;
  }
}

TEST(ProjectNames, TheKindFollowsFromTheName) {
  EXPECT_EQ(kind_of_project("cron-tab-operator"), "CronTab");
  EXPECT_EQ(kind_of_project("cron-tab"), "CronTab");
  EXPECT_EQ(kind_of_project("shop-controller"), "Shop");
  EXPECT_EQ(kind_of_project("operator"), "Operator");
}

TEST(ProjectNames, TheCppNamespaceIsNeverAKeyword) {
  EXPECT_EQ(cpp_namespace("greeting-operator"), "greeting_operator");
  EXPECT_EQ(cpp_namespace("class"), "class_operator");
  EXPECT_EQ(cpp_namespace("a--b"), "a_b_operator");
}

TEST(ProjectNames, AnErrorAboutAPatternNamesTheNearestOne) {
  for (const std::string_view pattern : pattern_names()) EXPECT_TRUE(check_pattern(pattern));
  const auto unknown = check_pattern("gard");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().message,
            "is not one of plain, crud, external, phased, watcher, service, guard; did you mean guard?");
}

}  // namespace
}  // namespace pintle::tools
