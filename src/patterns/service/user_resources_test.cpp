// SPDX-License-Identifier: Apache-2.0
#include <pintle/patterns/service/user_resources.hpp>

#include "test_support.hpp"

namespace pintle::service {
namespace {

using namespace std::chrono_literals;

// A bucket whose domain waits for the objects of users in its control plane.
class UserResourcesTest : public ServiceTest {
 protected:
  void SetUp() override {
    on_remove = [](const Bucket&, ObjectClusters& clusters, Context& ctx) {
      return wait_for_user_resources(clusters.mcp_cluster, {{"example.dev/v1", "Widget"}, ConfigMap::type}, ctx);
    };
    run(provider());
    create_config();
    create_bucket("a", {.finalizers = {"test.pintle.dev/held"}});
    ASSERT_TRUE(simulation.run_until_idle());
  }
  void keep_something() {
    ASSERT_TRUE(mcp.user().create(ConfigMap{.metadata = {.name = "mine", .namespace_ = "default"}}));
  }
  [[nodiscard]] bool is_blocked() { return is_condition_true(bucket(), deletion_blocked_condition); }
};

TEST_F(UserResourcesTest, UserResourcesBlockADeletion) {
  keep_something();
  remove_bucket();
  advance_time(5s);
  ASSERT_TRUE(is_blocked());
  EXPECT_EQ(find_condition(bucket(), deletion_blocked_condition)->reason, "UserResourcesPresent");
  EXPECT_EQ(shown(), "Terminating UserResourcesPresent: users must remove v1 ConfigMap default/mine first");
  const int before = removes;
  advance_time(1min);
  EXPECT_EQ(removes, before + 6) << "one each 10 s";
  EXPECT_TRUE(bucket().has_finalizer(Bucket::finalizer));
  ASSERT_TRUE(mcp.user().remove(ConfigMap::type, {"default", "mine"}));
  advance_time(15s);
  EXPECT_FALSE(bucket().has_finalizer(Bucket::finalizer));
  EXPECT_FALSE(find_condition(bucket(), deletion_blocked_condition));
  EXPECT_EQ(shown(), "Terminating Terminating: Cleanup in progress");
  EXPECT_EQ(reconciles("error"), 0);
}

TEST_F(UserResourcesTest, WithoutUserResourcesADeletionContinues) {
  remove_bucket();
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(removes, 1);
  EXPECT_FALSE(bucket().has_finalizer(Bucket::finalizer));
}

TEST_F(UserResourcesTest, AnUnavailableClusterDoesNotCountAsEmpty) {
  instance->transport().set_faults({{.effect = http::ErrorResponse{.status = 500, .reason = "InternalError"},
                                     .only = [](const http::Request& request) {
                                       return request.endpoint->host == "mcp" &&
                                              request.target.starts_with("/api/v1/configmaps");
                                     }}});
  remove_bucket();
  advance_time(1min);
  EXPECT_GT(reconciles("error"), 1);
  EXPECT_TRUE(bucket().has_finalizer(Bucket::finalizer));
}

}  // namespace
}  // namespace pintle::service
