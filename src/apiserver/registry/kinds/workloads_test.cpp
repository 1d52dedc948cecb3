// SPDX-License-Identifier: Apache-2.0
// Workloads and jobs: defaults and validation.
#include "../../test_server.hpp"

namespace pintle {
namespace {

const std::string apps_path = "/apis/apps/v1/namespaces/default/";
const std::string template_of_b =
    R"("template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"i"}]}})";

std::string workload(const std::string& more) {
  return R"({"metadata":{"name":"w"},"spec":{"selector":{"matchLabels":{"a":"b"}},)" + template_of_b + more + "}}";
}

class Workloads : public ServerTest {};

TEST_F(Workloads, CannotChangeTheirSelector) {
  for (const char* plural : {"deployments", "replicasets", "statefulsets", "daemonsets"}) {
    post(apps_path + plural, workload(""));

    const auto changed =
        call("PATCH", apps_path + plural + "/w",
             R"({"spec":{"selector":{"matchLabels":{"a":"c"}},"template":{"metadata":{"labels":{"a":"c"}}}}})",
             "application/merge-patch+json");
    const bool is_set = std::string(plural) == "statefulsets";
    EXPECT_EQ(changed.causes(), is_set ? "FieldValueForbidden@spec" : "FieldValueInvalid@spec.selector") << plural;
  }
}

TEST_F(Workloads, ADeploymentThatRecreatesHasNoRollingUpdate) {
  const auto made = post(apps_path + "deployments", workload(R"(,"strategy":{"type":"Recreate"})"));

  EXPECT_EQ(made.at("/spec/strategy"), R"({"type":"Recreate"})");
}

TEST_F(Workloads, ADaemonSetCountsTheChangesOfItsTemplate) {
  const std::string count = "/metadata/annotations/deprecated.daemonset.template.generation";
  post(apps_path + "daemonsets", workload(""));

  EXPECT_EQ(merge(apps_path + "daemonsets/w", R"({"spec":{"minReadySeconds":5}})").at(count), "1");
  EXPECT_EQ(merge(apps_path + "daemonsets/w", R"({"spec":{"template":{"spec":{"hostname":"h"}}}})").at(count), "2");
}

TEST_F(Workloads, AStatefulSetCannotChangeItsServiceName) {
  post(apps_path + "statefulsets", workload(R"(,"serviceName":"s")"));

  EXPECT_EQ(merge(apps_path + "statefulsets/w", R"({"spec":{"serviceName":"t"}})").causes(),
            "FieldValueForbidden@spec");
  EXPECT_EQ(merge(apps_path + "statefulsets/w", R"({"spec":{"replicas":4}})").at("/spec/replicas"), "4");
}

TEST_F(Workloads, AReplicationControllerSelectsByTheLabelsOfItsTemplate) {
  const auto made = post("/api/v1/namespaces/default/replicationcontrollers",
                         R"({"metadata":{"name":"rc"},"spec":{)" + template_of_b + "}}");

  EXPECT_EQ(made.at("/spec/selector"), R"({"a":"b"})");
  EXPECT_EQ(made.at("/spec/replicas"), "1");
}

TEST_F(Workloads, PodsOfAJobCannotAlwaysRestart) {
  const std::string jobs = "/apis/batch/v1/namespaces/default/jobs";
  const auto of = [](const std::string& policy) {
    return R"({"metadata":{"name":"j"},"spec":{"template":{"spec":{"restartPolicy":")" + policy +
           R"(","containers":[{"name":"c","image":"i"}]}}}})";
  };

  EXPECT_EQ(post(jobs, of("Always")).causes(), "FieldValueRequired@spec.template.spec.restartPolicy");
  EXPECT_EQ(post(jobs, of("Never")).status, 201);
  EXPECT_EQ(merge(jobs + "/j", R"({"spec":{"template":{"spec":{"hostname":"h"}}}})").causes(),
            "FieldValueInvalid@spec.template");
  EXPECT_EQ(get(jobs + "?fieldSelector=status.successful%3D0").at("/items/0/metadata/name"), "j");
}

}  // namespace
}  // namespace pintle
