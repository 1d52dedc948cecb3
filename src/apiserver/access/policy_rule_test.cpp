// SPDX-License-Identifier: Apache-2.0
#include "policy_rule.hpp"

#include <gtest/gtest.h>

namespace pintle::apiserver {
namespace {

PolicyRule rule(const char* text) {
  const auto document = json::Document::parse(text);
  return PolicyRule::from_json(document.value().root());
}

Action on(std::string resource, std::string subresource = "", std::string name = "") {
  return {
      .verb = "get", .resource = std::move(resource), .subresource = std::move(subresource), .name = std::move(name)};
}

Action get_path(std::string path) { return {.verb = "get", .is_resource = false, .path = std::move(path)}; }

TEST(PolicyRule, AllowsTheResourceWithoutItsSubresources) {
  const PolicyRule pods = rule(R"({"verbs":["get"],"apiGroups":[""],"resources":["pods"]})");
  EXPECT_TRUE(pods.allows(on("pods")));
  EXPECT_FALSE(pods.allows(on("pods", "log")));
  EXPECT_FALSE(pods.allows(on("secrets")));
  EXPECT_FALSE(pods.allows({.verb = "list", .resource = "pods"}));
  EXPECT_FALSE(pods.allows({.verb = "get", .group = "apps", .resource = "pods"}));
}

TEST(PolicyRule, SelectsOneSubresourceOfAllResources) {
  const PolicyRule scales = rule(R"({"verbs":["*"],"apiGroups":["*"],"resources":["*/scale"]})");
  EXPECT_TRUE(scales.allows(on("deployments", "scale")));
  EXPECT_FALSE(scales.allows(on("deployments")));
  EXPECT_FALSE(scales.allows(on("deployments", "status")));
  const PolicyRule none = rule(R"({"verbs":["get"],"apiGroups":[""],"resources":["pods/*"]})");
  EXPECT_FALSE(none.allows(on("pods", "log"))) << "pods/* is no pattern";
}

TEST(PolicyRule, WithNamesAllowsOnlyRequestsWithOneOfThem) {
  const PolicyRule named =
      rule(R"({"verbs":["get"],"apiGroups":[""],"resources":["configmaps"],"resourceNames":["a"]})");
  EXPECT_TRUE(named.allows(on("configmaps", "", "a")));
  EXPECT_FALSE(named.allows(on("configmaps", "", "b")));
  EXPECT_FALSE(named.allows(on("configmaps")));
}

TEST(PolicyRule, MatchesPathsByTheirPrefix) {
  const PolicyRule paths = rule(R"({"verbs":["get"],"nonResourceURLs":["/a","/b/*"]})");
  EXPECT_TRUE(paths.allows(get_path("/a")));
  EXPECT_FALSE(paths.allows(get_path("/a/b")));
  EXPECT_TRUE(paths.allows(get_path("/b/c/d")));
  EXPECT_FALSE(paths.allows(get_path("/b")));
  EXPECT_FALSE(paths.allows(on("a")));
}

TEST(MissingRules, AreSplitAndTheVerbsOfAResourceAreTogether) {
  const PolicyRules held{rule(R"({"verbs":["get"],"apiGroups":[""],"resources":["pods"]})")};
  const PolicyRules wanted{rule(R"({"verbs":["get","list","watch"],"apiGroups":[""],"resources":["pods","nodes"]})"),
                           rule(R"({"verbs":["get"],"nonResourceURLs":["/x"]})")};

  const PolicyRules missing = missing_rules(held, wanted);

  ASSERT_EQ(missing.size(), 3U);
  EXPECT_EQ(missing[0].text(), R"({APIGroups:[""], Resources:["pods"], Verbs:["list" "watch"]})");
  EXPECT_EQ(missing[1].text(), R"({APIGroups:[""], Resources:["nodes"], Verbs:["get" "list" "watch"]})");
  EXPECT_EQ(missing[2].text(), R"({NonResourceURLs:["/x"], Verbs:["get"]})");
}

TEST(MissingRules, TheVerbsOfANameAreInSeparateRules) {
  const PolicyRules missing = missing_rules(
      {}, {rule(R"({"verbs":["get","list"],"apiGroups":[""],"resources":["secrets"],"resourceNames":["a"]})")});

  ASSERT_EQ(missing.size(), 2U);
  EXPECT_EQ(missing[0].text(), R"({APIGroups:[""], Resources:["secrets"], ResourceNames:["a"], Verbs:["get"]})");
  EXPECT_EQ(missing[1].text(), R"({APIGroups:[""], Resources:["secrets"], ResourceNames:["a"], Verbs:["list"]})");
}

TEST(MissingRules, AWildcardIsCoveredByAWildcardOnly) {
  const PolicyRules all_verbs{rule(R"({"verbs":["get","list"],"apiGroups":["*"],"resources":["*"]})")};
  const PolicyRules any{rule(R"({"verbs":["*"],"apiGroups":["apps"],"resources":["*/scale"]})")};
  EXPECT_EQ(missing_rules(all_verbs, any).size(), 1U);
  EXPECT_TRUE(missing_rules({rule(R"({"verbs":["*"],"apiGroups":["*"],"resources":["*"]})")}, any).empty());
}

TEST(MissingRules, ARuleForAllNamesIsNotCoveredByARuleForSome) {
  const PolicyRules some{rule(R"({"verbs":["get"],"apiGroups":[""],"resources":["secrets"],"resourceNames":["a"]})")};
  EXPECT_TRUE(missing_rules(some, some).empty());
  EXPECT_EQ(missing_rules(some, {rule(R"({"verbs":["get"],"apiGroups":[""],"resources":["secrets"]})")}).size(), 1U);
}

}  // namespace
}  // namespace pintle::apiserver
