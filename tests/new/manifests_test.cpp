// SPDX-License-Identifier: Apache-2.0
#include "new/manifests.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <pintle/json/value.hpp>

namespace pintle::tools {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Key;
using ::testing::Not;

using Files = std::map<std::string, std::string>;

const ManifestOptions plain{.name = "shop",
                            .crds = R"(---
kind: CustomResourceDefinition
metadata: {name: figs.example.com}
)",
                            .roles = R"(---
kind: Role
metadata: {name: shop, namespace: anything}
rules:
- {apiGroups: [""], resources: [secrets], resourceNames: [one], verbs: [get]}
---
kind: ClusterRole
metadata: {name: shop}
rules:
- {apiGroups: [b.example.com], resources: [pears], verbs: [get]}
- {apiGroups: [""], resources: [nuts, plums], verbs: [list]}
- {apiGroups: [""], resources: [figs], verbs: [get]}
)"};

Files manifests_of(const ManifestOptions& options) {
  auto files = project_manifests(options);
  EXPECT_TRUE(files) << files.error().message;
  return files ? *files : Files{};
}

// The code of --print-deploy orders them, so their order follows from the group that the user chooses.
TEST(ProjectManifests, HaveTheRulesOfARoleInTheOrderOfTheOperator) {
  EXPECT_THAT(manifests_of(plain).at("deploy/rbac.yaml"), HasSubstr(R"(kind: ClusterRole
metadata:
  name: shop
rules:
- apiGroups:
  - ""
  resources:
  - figs
  verbs:
  - get
- apiGroups:
  - ""
  resources:
  - nuts
  - plums
  verbs:
  - list
- apiGroups:
  - b.example.com
  resources:
  - pears
  verbs:
  - get
---
)"));
}

TEST(ProjectManifests, AreInTheNamespaceOfTheOperatorOrOfTheRelease) {
  const Files files = manifests_of(plain);
  EXPECT_THAT(files.at("deploy/rbac.yaml"), HasSubstr("resourceNames:\n  - one\n"));
  for (const auto& [path, text] : files) {
    EXPECT_THAT(text, Not(HasSubstr("namespace: anything"))) << path;
    if (path.starts_with("charts/")) {
      EXPECT_THAT(text, Not(HasSubstr("namespace: shop"))) << path;
    }
  }
}

TEST(ProjectManifests, PassTheFlagsOfTheProjectToTheOperator) {
  const std::string deployment = manifests_of(plain).at("deploy/deployment.yaml");
  for (const std::string& flag : deploy_flags()) {
    EXPECT_THAT(deployment, HasSubstr("\n        - \"" + flag + "\"\n"));
  }
}

TEST(ProjectManifests, BeginWithTheLineThatLetsTheOperatorReplaceThem) {
  for (const auto& [path, text] : manifests_of(plain)) {
    EXPECT_TRUE(text.starts_with("# Written by shop --print-deploy, which replaces this file.\n")) << path;
  }
}

TEST(ProjectManifests, ServeWebhooksOnlyIfThereAreSome) {
  ManifestOptions webhook = plain;
  webhook.has_webhooks = true;
  EXPECT_THAT(manifests_of(webhook).at("deploy/deployment.yaml"), HasSubstr("--webhook-listen=0.0.0.0:9443"));
  EXPECT_THAT(manifests_of(webhook).at("deploy/deployment.yaml"), HasSubstr("--webhook-install=upgrade"));
  EXPECT_THAT(manifests_of(plain).at("deploy/deployment.yaml"), Not(HasSubstr("webhook")));
}

TEST(ProjectManifests, TakeTheKubeconfigOfThePlatformFromASecret) {
  ManifestOptions service = plain;
  service.platform = "platform";
  service.platform_roles = plain.roles;
  const Files files = manifests_of(service);
  EXPECT_THAT(files.at("deploy/deployment.yaml"), HasSubstr("secretName: shop-platform"));
  EXPECT_THAT(files.at("deploy/platform/rbac.yaml"), HasSubstr("- pears"));
  EXPECT_THAT(files.at("deploy/kustomization.yaml"), Not(HasSubstr("platform")));
  EXPECT_THAT(files, Not(Contains(Key(HasSubstr("charts/shop/templates/platform")))));
}

TEST(ProjectManifests, AreAnErrorIfATextIsNoYamlOrNoRole) {
  ManifestOptions wrong = plain;
  wrong.crds = "a: [\n";
  EXPECT_FALSE(project_manifests(wrong));
  wrong = plain;
  wrong.roles = "kind: ConfigMap\nmetadata: {name: a}\n";
  EXPECT_FALSE(project_manifests(wrong));
}

}  // namespace
}  // namespace pintle::tools
