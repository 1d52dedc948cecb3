#include "asked_right.hpp"

#include <gtest/gtest.h>

namespace pintle::testing {
namespace {

// "verb group/resource namespace/name".
std::string asked(const std::string& method, const std::string& target) {
  const auto right = right_asked_by({.method = method, .target = target});
  if (!right) return "nothing";
  return right->verb + " " + right->group + "/" + right->resource + " " + right->namespace_ + "/" + right->name;
}

TEST(AskedRight, IsDerivedFromMethodAndTarget) {
  struct {
    const char* method;
    const char* target;
    const char* asked;
  } const cases[] = {
      {"GET", "/api/v1/namespaces/n/configmaps/a", "get /configmaps n/a"},
      {"HEAD", "/api/v1/namespaces/n/configmaps/a", "get /configmaps n/a"},
      {"GET", "/api/v1/namespaces/n/configmaps?limit=5", "list /configmaps n/"},
      {"GET", "/api/v1/configmaps", "list /configmaps /"},
      {"GET", "/apis/apps/v1/deployments?watch=true", "watch apps/deployments /"},
      {"GET", "/apis/apps/v1/deployments?watch=1", "watch apps/deployments /"},
      {"GET", "/apis/apps/v1/deployments?watch=false", "list apps/deployments /"},
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
  for (const auto& one : cases) EXPECT_EQ(asked(one.method, one.target), one.asked) << one.method << " " << one.target;
}

TEST(AskedRight, IsAllowedByARuleThatHoldsAllOfIt) {
  const AskedRight right{"get", "apps", "deployments", "n", "web"};
  const auto allows = [&](const RbacRule& rule, const std::string& namespace_ = "") {
    return right.is_allowed_by({.name = "r", .namespace_ = namespace_}, rule);
  };
  EXPECT_TRUE(allows({"apps", "deployments", {"list", "get"}}));
  EXPECT_TRUE(allows({"apps", "deployments", {"get"}, {"web"}}, "n"));
  EXPECT_TRUE(allows({"*", "*", {"*"}}));
  EXPECT_FALSE(allows({"", "deployments", {"get"}}));
  EXPECT_FALSE(allows({"apps", "deployments/scale", {"get"}}));
  EXPECT_FALSE(allows({"apps", "deployments", {"list"}}));
  EXPECT_FALSE(allows({"apps", "deployments", {"get"}, {"db"}}));
  EXPECT_FALSE(allows({"apps", "deployments", {"get"}}, "other"));
}

}  // namespace
}  // namespace pintle::testing
