// SPDX-License-Identifier: Apache-2.0
#include <pintle/object/kind.hpp>

#include <unordered_set>

#include <gtest/gtest.h>

namespace pintle {
namespace {

TEST(Kind, SplitsGroupAndVersion) {
  const GroupVersionKind deployment("apps/v1", "Deployment");
  EXPECT_EQ(deployment.group, "apps");
  EXPECT_EQ(deployment.version, "v1");
  EXPECT_EQ(deployment.api_version(), "apps/v1");
  EXPECT_EQ(deployment.to_string(), "apps/v1 Deployment");

  const GroupVersionKind pod = Type{"v1", "Pod"};
  EXPECT_EQ(pod.group, "");
  EXPECT_EQ(pod.api_version(), "v1");
  EXPECT_FALSE(pod.empty());
  EXPECT_TRUE(GroupVersionKind().empty());
  EXPECT_NE(pod, deployment);
}

TEST(Kind, HasAPluralByTheConventions) {
  const struct {
    const char* kind;
    const char* plural;
  } cases[] = {{"Greeting", "greetings"},
               {"Policy", "policies"},
               {"NetworkPolicy", "networkpolicies"},
               {"Ingress", "ingresses"},
               {"Gateway", "gateways"},
               {"Mesh", "meshes"},
               {"Batch", "batches"},
               {"Box", "boxes"},
               {"Proxy", "proxies"},
               {"Endpoints", "endpoints"},
               {"ConfigMap", "configmaps"},
               {"StorageClass", "storageclasses"},
               {"Y", "ys"},
               {"", ""}};
  for (const auto& one : cases) EXPECT_EQ(default_plural(one.kind), one.plural);
}

TEST(ObjectKey, PrintsItsNamespaceIfAny) {
  EXPECT_EQ((ObjectKey{"default", "a"}).to_string(), "default/a");
  EXPECT_EQ((ObjectKey{"", "a"}).to_string(), "a");
  const std::unordered_set<ObjectKey> keys{{"a", "b"}, {"b", "a"}, {"a", "b"}};
  EXPECT_EQ(keys.size(), 2U);
}

}  // namespace
}  // namespace pintle
