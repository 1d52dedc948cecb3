// SPDX-License-Identifier: Apache-2.0
// HorizontalPodAutoscaler in both versions.
#include "../../test_server.hpp"

namespace pintle {
namespace {

const std::string first_version = "/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers";
const std::string second_version = "/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers";
const std::string target =
    R"("scaleTargetRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"d"},"maxReplicas":3)";

class Autoscalers : public ServerTest {};

TEST_F(Autoscalers, AreEqualInBothVersions) {
  const auto made =
      post(first_version, R"({"metadata":{"name":"h"},"spec":{"targetCPUUtilizationPercentage":60,)" + target + "}}");

  EXPECT_EQ(made.status, 201) << made.body;
  EXPECT_EQ(made.at("/apiVersion"), "autoscaling/v1");
  EXPECT_EQ(made.at("/spec/targetCPUUtilizationPercentage"), "60");
  EXPECT_EQ(get(second_version + "/h").at("/spec/metrics/0/resource/target/averageUtilization"), "60");
  EXPECT_EQ(get(second_version + "/h").at("/spec/targetCPUUtilizationPercentage"), "");
}

TEST_F(Autoscalers, KeepMetricsThatTheFirstVersionCannotExpress) {
  post(second_version, R"({"metadata":{"name":"h"},"spec":{"metrics":[{"type":"Pods","pods":{"metric":{"name":"m"},
      "target":{"type":"AverageValue","averageValue":"5"}}}],)" +
                           target + "}}");
  const auto before = get(second_version + "/h");

  EXPECT_EQ(merge(first_version + "/h", R"({"spec":{"maxReplicas":4}})").status, 200);

  const auto after = get(second_version + "/h");
  EXPECT_EQ(after.at("/spec/maxReplicas"), "4");
  EXPECT_EQ(after.at("/spec/metrics"), before.at("/spec/metrics"));
  EXPECT_EQ(after.at("/metadata/annotations"), "");
}

TEST_F(Autoscalers, ShowCurrentValues) {
  post(second_version, R"({"metadata":{"name":"h"},"spec":{"metrics":[{"type":"Resource","resource":{"name":"cpu",
      "target":{"type":"Utilization","averageUtilization":80}}},{"type":"Pods","pods":{"metric":{"name":"m"},
      "target":{"type":"AverageValue","averageValue":"5"}}}],)" +
                           target + "}}");
  merge(second_version + "/h/status", R"({"status":{"currentReplicas":1,"desiredReplicas":1,"currentMetrics":[
      {"type":"Resource","resource":{"name":"cpu","current":{"averageUtilization":30,"averageValue":"1"}}},
      {"type":"Pods","pods":{"metric":{"name":"m"},"current":{"averageValue":"7"}}}]}})");

  EXPECT_EQ(get(second_version + "/h", "application/json;as=Table;v=v1;g=meta.k8s.io").at("/rows/0/cells/2"),
            "cpu: 30%/80%, 7/5");
  const auto first = get(first_version + "/h");
  EXPECT_EQ(first.at("/status/currentCPUUtilizationPercentage"), "30");
  EXPECT_NE(first.at("/metadata/annotations/autoscaling.alpha.kubernetes.io~1current-metrics"), "");
  merge(first_version + "/h/status", R"({"status":{"currentCPUUtilizationPercentage":40}})");
  EXPECT_EQ(get(second_version + "/h").at("/status/currentMetrics/0/resource/current/averageUtilization"), "40");
  EXPECT_EQ(get(second_version + "/h").at("/status/currentMetrics/1/pods/current/averageValue"), "7");
  EXPECT_EQ(get(second_version + "/h").at("/metadata/annotations"), "");
}

TEST_F(Autoscalers, StoredMetricsOfTheFirstVersionAreValidated) {
  post(first_version, R"({"metadata":{"name":"h","annotations":{"autoscaling.alpha.kubernetes.io/metrics":
      "[{\"type\":\"Pods\",\"pods\":\"x\"}]"}},"spec":{)" +
                          target + "}}");
  EXPECT_EQ(merge(second_version + "/h", R"({"spec":{"maxReplicas":4}})").status, 422);
}

TEST_F(Autoscalers, AreRefusedWithoutATarget) {
  EXPECT_EQ(post(second_version, R"({"metadata":{"name":"h"},"spec":{}})").causes(),
            "FieldValueInvalid@spec.maxReplicas FieldValueRequired@spec.scaleTargetRef.kind "
            "FieldValueRequired@spec.scaleTargetRef.name");
}

}  // namespace
}  // namespace pintle
