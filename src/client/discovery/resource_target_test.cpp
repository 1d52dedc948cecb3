// SPDX-License-Identifier: Apache-2.0
#include <pintle/client/resource_target.hpp>

#include <string>

#include <gtest/gtest.h>

namespace pintle {
namespace {

std::string read_back(std::string_view target) {
  const auto found = read_resource_target(target);
  if (!found) return "none";
  return std::string(found->group_version) + (found->in_namespace ? " in a namespace" : "") + " " +
         std::string(found->plural) + (found->is_named ? " named" : "") + " " + std::string(found->subresource) +
         (found->watches ? " watched" : "");
}

TEST(ResourceTarget, DistinguishesCollectionsObjectsAndSubresources) {
  EXPECT_EQ(read_back("/api/v1/pods"), "/api/v1 pods ");
  EXPECT_EQ(read_back("/api/v1/namespaces/a/pods?limit=5"), "/api/v1 in a namespace pods ");
  EXPECT_EQ(read_back("/api/v1/namespaces/a/pods/p"), "/api/v1 in a namespace pods named ");
  EXPECT_EQ(read_back("/api/v1/namespaces/a/pods/p/proxy/watch/x"), "/api/v1 in a namespace pods named proxy");
  EXPECT_EQ(read_back("/apis/apps/v1/namespaces/a/deployments/d/scale"),
            "/apis/apps/v1 in a namespace deployments named scale");
  EXPECT_EQ(read_back("/apis/demo.pintle.dev/v1/greetings"), "/apis/demo.pintle.dev/v1 greetings ");
}

TEST(ResourceTarget, DistinguishesANamespaceFromTheResourcesInIt) {
  EXPECT_EQ(read_back("/api/v1/namespaces"), "/api/v1 namespaces ");
  EXPECT_EQ(read_back("/api/v1/namespaces/a"), "/api/v1 namespaces named ");
  EXPECT_EQ(read_back("/api/v1/namespaces/a/status"), "/api/v1 namespaces named status");
  EXPECT_EQ(read_back("/api/v1/namespaces/a/finalize"), "/api/v1 namespaces named finalize");
}

TEST(ResourceTarget, DetectsAWatchByTheQueryOnly) {
  EXPECT_EQ(read_back("/api/v1/pods?a=b&watch=1"), "/api/v1 pods  watched");
  EXPECT_EQ(read_back("/api/v1/pods?watch=true&a=b"), "/api/v1 pods  watched");
  EXPECT_EQ(read_back("/api/v1/pods?watch=false"), "/api/v1 pods ");
  EXPECT_EQ(read_back("/api/v1/pods?awatch=1"), "/api/v1 pods ");
}

TEST(ResourceTarget, RefusesPathsWithoutAResource) {
  for (const char* target :
       {"", "/", "/version", "/api", "/api/v1", "/api/v1/", "/apis", "/apis/apps", "/apis/apps/v1?timeout=5s"})
    EXPECT_EQ(read_back(target), "none") << target;
}

}  // namespace
}  // namespace pintle
