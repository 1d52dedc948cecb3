// SPDX-License-Identifier: Apache-2.0
#include "requested_permission.hpp"

#include <gtest/gtest.h>

namespace pintle::testkit {
namespace {

TEST(RequestedPermission, IsAllowedByARuleThatContainsAllOfIt) {
  const RequestInfo right{"get", "apps", "deployments", "n", "web"};
  const auto allows = [&](const RbacRule& rule, const std::string& namespace_ = "") {
    return is_allowed_by(right, {.name = "r", .namespace_ = namespace_}, rule);
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
}  // namespace pintle::testkit
