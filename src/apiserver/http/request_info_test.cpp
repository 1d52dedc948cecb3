// SPDX-License-Identifier: Apache-2.0
#include <pintle/apiserver/request_info.hpp>

#include <gtest/gtest.h>

namespace pintle {
namespace {

// "verb group/resource namespace/name".
std::string described(const std::string& method, const std::string& target) {
  const auto info = request_info({.method = method, .target = target});
  if (!info) return "nothing";
  return info->verb + " " + info->group + "/" + info->resource + " " + info->namespace_ + "/" + info->name;
}

TEST(RequestInfo, IsDerivedFromMethodAndTarget) {
  struct {
    const char* method;
    const char* target;
    const char* about;
  } const cases[] = {
      {"GET", "/api/v1/namespaces/n/configmaps/a", "get /configmaps n/a"},
      {"HEAD", "/api/v1/namespaces/n/configmaps/a", "get /configmaps n/a"},
      {"GET", "/api/v1/namespaces/n/configmaps?limit=5", "list /configmaps n/"},
      {"GET", "/api/v1/configmaps", "list /configmaps /"},
      {"GET", "/apis/apps/v1/deployments?watch=true", "watch apps/deployments /"},
      {"GET", "/apis/apps/v1/deployments?watch=1", "watch apps/deployments /"},
      {"GET", "/apis/apps/v1/deployments?watch=false", "list apps/deployments /"},
      {"GET", "/apis/apps/v1/deployments?watch=False", "list apps/deployments /"},
      {"GET", "/apis/apps/v1/deployments?watch=0", "list apps/deployments /"},
      {"GET", "/apis/apps/v1/deployments?watch=no", "watch apps/deployments /"},
      {"GET", "/apis/apps/v1/deployments?watch=", "watch apps/deployments /"},
      {"GET", "/apis/apps/v1/deployments?watch", "watch apps/deployments /"},
      {"GET", "/api/v1/namespaces/n/secrets?fieldSelector=metadata.name%3Ds&watch=true", "watch /secrets n/s"},
      {"GET", "/api/v1/secrets?fieldSelector=metadata.name%3Ds,type%3Dx", "list /secrets /"},
      {"POST", "/api/v1/namespaces/n/configmaps?fieldManager=m", "create /configmaps n/"},
      {"POST", "/api/v1/namespaces/n/pods/p/eviction", "create /pods/eviction n/p"},
      {"PUT", "/apis/demo.dev/v1/namespaces/n/notes/a/status", "update demo.dev/notes/status n/a"},
      {"PATCH", "/apis/demo.dev/v1/namespaces/n/notes/a", "patch demo.dev/notes n/a"},
      {"DELETE", "/apis/demo.dev/v1/boards/b", "delete demo.dev/boards /b"},
      {"DELETE", "/apis/demo.dev/v1/boards?labelSelector=x", "deletecollection demo.dev/boards /"},
      {"GET", "/api/v1/namespaces", "list /namespaces /"},
      {"GET", "/api/v1/namespaces/n", "get /namespaces n/n"},
      {"PUT", "/api/v1/namespaces/n/finalize", "update /namespaces/finalize n/n"},
      {"GET", "/api/v1/namespaces/n/pods/p/proxy/metrics", "get /pods/proxy n/p"},
      {"GET", "/api/v1/namespaces/n%2Fm/pods", "list /pods n/m/"},
      {"GET", "/api", "nothing"},
      {"GET", "/api/v1", "nothing"},
      {"GET", "/apis/apps/v1", "nothing"},
      {"GET", "/version", "nothing"},
      {"GET", "/", "nothing"},
      {"GET", "", "nothing"},
      {"GET", "/openapi/v3/apis/apps/v1", "nothing"},
  };
  for (const auto& one : cases)
    EXPECT_EQ(described(one.method, one.target), one.about) << one.method << " " << one.target;
}

}  // namespace
}  // namespace pintle
