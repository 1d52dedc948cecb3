// SPDX-License-Identifier: Apache-2.0
// The deletion of namespaces.
#include <chrono>

#include "../test_server.hpp"
#include "../test_widgets.hpp"

namespace pintle {
namespace {

class NamespaceLifecycle : public ServerTest {
 protected:
  void SetUp() override { ASSERT_EQ(post("/api/v1/namespaces", config_map("shop")).status, 201); }
  const std::string inside_ = "/api/v1/namespaces/shop/configmaps";
};

TEST_F(NamespaceLifecycle, DeletionRemovesItsObjectsAndThenTheNamespace) {
  post(inside_, config_map("a"));
  post("/api/v1/namespaces/shop/secrets", config_map("s"));
  post(config_maps, config_map("elsewhere"));
  const auto reply = remove("/api/v1/namespaces/shop");
  EXPECT_EQ(reply.at("/status/phase"), "Terminating");
  run_until_idle();
  EXPECT_EQ(get("/api/v1/namespaces/shop").status, 404);
  EXPECT_EQ(names("configmaps"), "elsewhere");
  EXPECT_EQ(names("secrets"), "");
}

TEST_F(NamespaceLifecycle, CreatesAreRefusedDuringDeletion) {
  remove("/api/v1/namespaces/shop");
  const auto refused = post(inside_, config_map("late"));
  EXPECT_EQ(refused.status, 403);
  EXPECT_EQ(refused.causes(), "NamespaceTerminating@metadata.namespace");
  run_until_idle();
  EXPECT_EQ(post(inside_, config_map("later")).status, 404);
}

TEST_F(NamespaceLifecycle, DeletionWaitsForTheFinalizersOfItsObjects) {
  post(inside_, config_map("a", R"("finalizers":["x.dev/f"])"));
  remove("/api/v1/namespaces/shop");
  run_until_idle();
  EXPECT_EQ(get("/api/v1/namespaces/shop").at("/status/phase"), "Terminating");
  merge(inside_ + "/a", R"({"metadata":{"finalizers":null}})");
  run_until_idle();
  EXPECT_EQ(get("/api/v1/namespaces/shop").status, 404);
}

// server-facts 18
TEST_F(NamespaceLifecycle, PodsAreRemovedBeforeOtherObjects) {
  post(inside_, config_map("a", R"("finalizers":["x.dev/g"])"));
  const std::string pods = "/api/v1/namespaces/shop/pods";
  post(pods, R"({"metadata":{"name":"p","finalizers":["x.dev/f"]},"spec":{"containers":[{"name":"c","image":"i"}]}})");
  remove("/api/v1/namespaces/shop");
  run_until_idle();
  EXPECT_NE(get(pods + "/p").at("/metadata/deletionTimestamp"), "");
  EXPECT_EQ(get(inside_ + "/a").at("/metadata/deletionTimestamp"), "");
  const auto waiting = get("/api/v1/namespaces/shop");
  EXPECT_EQ(waiting.at("/status/conditions/3/type"), "NamespaceContentRemaining");
  EXPECT_EQ(waiting.at("/status/conditions/3/message"), "Some resources are remaining: pods. has 1 resource instances");
  EXPECT_EQ(waiting.at("/status/conditions/4/type"), "NamespaceFinalizersRemaining");
  EXPECT_EQ(waiting.at("/status/conditions/4/message"),
            "Some content in the namespace has finalizers remaining: x.dev/f in 1 resource instances");

  merge(pods + "/p", R"({"metadata":{"finalizers":null}})");
  run_until_idle();
  EXPECT_EQ(get("/api/v1/namespaces/shop").at("/status/conditions/3/message"),
            "Some resources are remaining: configmaps. has 1 resource instances");
  merge(inside_ + "/a", R"({"metadata":{"finalizers":null}})");
  run_until_idle();
  EXPECT_EQ(get("/api/v1/namespaces/shop").status, 404);
}

TEST_F(NamespaceLifecycle, DeletionsPassAdmissionAndARefusalIsReportedAndRepeated) {
  const std::string admission = "/apis/admissionregistration.k8s.io/v1/";
  ASSERT_EQ(post(admission + "validatingadmissionpolicies",
                 R"({"metadata":{"name":"keep"},"spec":{"matchConstraints":{"resourceRules":[{"apiGroups":[""],
                    "apiVersions":["v1"],"operations":["DELETE"],"resources":["configmaps"]}]},"validations":[
                    {"expression":"request.userInfo.username != 'system:serviceaccount:kube-system:namespace-controller'",
                     "message":"kept"}]}})")
                .status,
            201);
  ASSERT_EQ(post(admission + "validatingadmissionpolicybindings",
                 R"({"metadata":{"name":"keep"},"spec":{"policyName":"keep","validationActions":["Deny"]}})")
                .status,
            201);
  post(inside_, config_map("a"));
  post("/api/v1/namespaces/shop/secrets", config_map("s", R"("finalizers":["x.dev/f"])"));
  remove("/api/v1/namespaces/shop");
  executor_.sleep_for(std::chrono::seconds(5));
  const auto waiting = get("/api/v1/namespaces/shop");
  EXPECT_EQ(waiting.at("/status/conditions/2/type"), "NamespaceDeletionContentFailure");
  EXPECT_EQ(waiting.at("/status/conditions/2/status"), "True");
  EXPECT_EQ(waiting.at("/status/conditions/2/reason"), "ContentDeletionFailed");
  EXPECT_TRUE(
      waiting.at("/status/conditions/2/message").starts_with("Failed to delete all resource types, 1 remaining: "))
      << waiting.body;
  EXPECT_TRUE(waiting.at("/status/conditions/2/message").ends_with("denied request: kept")) << waiting.body;
  EXPECT_EQ(waiting.at("/status/conditions/3/message"),
            "Some resources are remaining: secrets. has 1 resource instances");
  EXPECT_EQ(names("configmaps"), "a");

  merge("/api/v1/namespaces/shop/secrets/s", R"({"metadata":{"finalizers":null}})");
  executor_.sleep_for(std::chrono::seconds(60));
  const auto refused = get("/api/v1/namespaces/shop");
  EXPECT_EQ(refused.at("/status/conditions/3/status"), "False") << refused.body;
  EXPECT_EQ(refused.at("/status/conditions/3/reason"), "ContentRemoved");
  EXPECT_EQ(refused.at("/status/conditions/4/reason"), "ContentHasNoFinalizers");
  remove(admission + "validatingadmissionpolicybindings/keep");
  executor_.sleep_for(std::chrono::seconds(61));
  EXPECT_EQ(get("/api/v1/namespaces/shop").status, 404);
}

TEST_F(NamespaceLifecycle, DeletionWaitsForItsOwnFinalizers) {
  merge("/api/v1/namespaces/shop", R"({"metadata":{"finalizers":["x.dev/f"]}})");
  remove("/api/v1/namespaces/shop");
  run_until_idle();
  EXPECT_EQ(get("/api/v1/namespaces/shop").at("/spec"), "{}");
  merge("/api/v1/namespaces/shop", R"({"metadata":{"finalizers":null}})");
  EXPECT_EQ(get("/api/v1/namespaces/shop").status, 404);
}

TEST_F(NamespaceLifecycle, AWatchReceivesEachStep) {
  auto stream = watch("/api/v1/namespaces?watch=1&fieldSelector=metadata.name%3Dshop");
  EXPECT_EQ(stream.next(), "ADDED shop");
  remove("/api/v1/namespaces/shop");
  run_until_idle();
  EXPECT_EQ(stream.next(2), "MODIFIED shop, DELETED shop");
}

TEST_F(NamespaceLifecycle, DeletionRemovesCustomObjects) {
  post(definitions, widget_definition("a.dev"));
  run_until_idle();
  post("/apis/a.dev/v1/namespaces/shop/widgets", widget("a.dev", config_map("w")));
  remove("/api/v1/namespaces/shop");
  run_until_idle();
  EXPECT_EQ(names("widgets.a.dev"), "");
  EXPECT_EQ(get("/api/v1/namespaces/shop").status, 404);
}

TEST_F(NamespaceLifecycle, FinalizersOfTheSpecChangeOnlyByFinalize) {
  EXPECT_EQ(merge("/api/v1/namespaces/shop", R"({"spec":{"finalizers":[]}})").at("/spec/finalizers"),
            R"(["kubernetes"])");
  EXPECT_EQ(put("/api/v1/namespaces/shop/finalize",
                R"({"metadata":{"name":"shop"},"spec":{"finalizers":["kubernetes","x.dev/f"]}})")
                .at("/spec/finalizers"),
            R"(["kubernetes","x.dev/f"])");
}

}  // namespace
}  // namespace pintle
