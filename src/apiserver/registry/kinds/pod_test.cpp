// SPDX-License-Identifier: Apache-2.0
// The defaults of a Pod, and the changes that are permitted.
#include "../../test_server.hpp"

namespace pintle {
namespace {

const std::string pods_path = "/api/v1/namespaces/default/pods";

std::string pod_of(const std::string& name, const std::string& container) {
  return R"({"metadata":{"name":")" + name + R"("},"spec":{"containers":[{"name":"c")" + container + "}]}}";
}

class Pods : public ServerTest {};

TEST_F(Pods, HaveAQualityOfServiceByTheirResources) {
  const std::string best = R"(,"image":"i")";
  const std::string some = R"(,"image":"i","resources":{"requests":{"cpu":"1"}})";
  const std::string all = R"(,"image":"i","resources":{"limits":{"cpu":"1","memory":"1Gi"}})";

  EXPECT_EQ(post(pods_path, pod_of("a", best)).at("/status/qosClass"), "BestEffort");
  EXPECT_EQ(post(pods_path, pod_of("b", some)).at("/status/qosClass"), "Burstable");
  EXPECT_EQ(post(pods_path, pod_of("c", all)).at("/status/qosClass"), "Guaranteed");
}

TEST_F(Pods, CanChangeTheirImageAndFewOtherFields) {
  post(pods_path, pod_of("a", R"(,"image":"i")"));

  EXPECT_EQ(call("PATCH", pods_path + "/a", R"({"spec":{"containers":[{"name":"c","image":"j:2"}]}})",
                 "application/strategic-merge-patch+json")
                .at("/spec/containers/0/image"),
            "j:2");
  EXPECT_EQ(merge(pods_path + "/a", R"({"spec":{"hostname":"h"}})").causes(), "FieldValueForbidden@spec");
}

TEST_F(Pods, AreRefusedWithInvalidContainers) {
  EXPECT_EQ(post(pods_path, pod_of("a", "")).causes(), "FieldValueRequired@spec.containers[0].image");
  EXPECT_EQ(post(pods_path, R"({"metadata":{"name":"a"},"spec":{"containers":[]}})").causes(),
            "FieldValueRequired@spec.containers");
  EXPECT_EQ(post(pods_path, R"({"metadata":{"name":"a"},"spec":{"containers":[{"name":"C!","image":"i"}]}})").causes(),
            "FieldValueInvalid@spec.containers[0].name");
  EXPECT_EQ(post(pods_path, R"({"metadata":{"name":"a"},"spec":{"restartPolicy":"Often","containers":
      [{"name":"c","image":"i"},{"name":"c","image":"i"}]}})")
                .causes(),
            "FieldValueDuplicate@spec.containers[1].name FieldValueNotSupported@spec.restartPolicy");
}

TEST_F(Pods, AreSelectedByDefaultsOfMissingFields) {
  post(pods_path, pod_of("a", R"(,"image":"i")"));

  const auto found = [&](const std::string& selector) {
    return get(pods_path + "?fieldSelector=" + selector).at("/items/0/metadata/name");
  };
  EXPECT_EQ(found("spec.hostNetwork%3Dfalse"), "a");
  EXPECT_EQ(found("spec.nodeName%3D"), "a");
  EXPECT_EQ(found("status.phase%3DPending,spec.restartPolicy%3DAlways"), "a");
  EXPECT_EQ(found("spec.nodeName%3Dn1"), "");
}

TEST_F(Pods, MergeTheirListsByTheirKeys) {
  post(pods_path, pod_of("a", R"(,"image":"i","ports":[{"containerPort":80}])"));

  const auto applied = apply(pods_path + "/a?fieldManager=m", R"({"apiVersion":"v1","kind":"Pod","spec":{"containers":
      [{"name":"c","image":"j","ports":[{"containerPort":80,"protocol":"TCP"}]}]}})");

  EXPECT_EQ(applied.status, 409);
  EXPECT_EQ(applied.causes(), R"(FieldManagerConflict@.spec.containers[name="c"].image)");
}

}  // namespace
}  // namespace pintle
