// SPDX-License-Identifier: Apache-2.0
#include "decoding.hpp"

#include <gtest/gtest.h>

namespace pintle::apiserver {
namespace {

std::string error_of(std::string_view text, std::string_view type, const std::string& place = {}) {
  return decoding_error(json::parse(text).value(), type, place);
}

TEST(DecodingError, NamesTheStructTheFieldAndTheType) {
  const char* deployment = "apps.v1.Deployment";
  EXPECT_EQ(error_of(R"({"spec":{"replicas":"two"}})", deployment),
            "json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32");
  EXPECT_EQ(error_of(R"({"spec":{"replicas":1.5}})", deployment),
            "json: cannot unmarshal number 1.5 into Go struct field DeploymentSpec.spec.replicas of type int32");
  EXPECT_EQ(error_of(R"({"spec":{"replicas":3000000000}})", deployment),
            "json: cannot unmarshal number 3000000000 into Go struct field DeploymentSpec.spec.replicas of type int32");
  EXPECT_EQ(error_of(R"({"spec":{"template":{"spec":{"containers":[{"name":"a"},{"name":1}]}}}})", deployment),
            "json: cannot unmarshal number into Go struct field Container.spec.template.spec.containers.name of type "
            "string");
  EXPECT_EQ(error_of(R"({"spec":{"template":{"spec":{"containers":{}}}}})", deployment),
            "json: cannot unmarshal object into Go struct field PodSpec.spec.template.spec.containers of type "
            "[]v1.Container");
  EXPECT_EQ(error_of(R"({"spec":{"paused":"yes"}})", deployment),
            "json: cannot unmarshal string into Go struct field DeploymentSpec.spec.paused of type bool");
  EXPECT_EQ(error_of(R"({"spec":[]})", deployment),
            "json: cannot unmarshal array into Go struct field Deployment.spec of type v1.DeploymentSpec");
}

TEST(DecodingError, ShowsTheTypeOfTheValuesOfAMap) {
  EXPECT_EQ(error_of(R"({"data":{"a":1}})", "core.v1.ConfigMap"),
            "json: cannot unmarshal number into Go struct field ConfigMap.data of type string");
  EXPECT_EQ(error_of(R"({"data":"a"})", "core.v1.ConfigMap"),
            "json: cannot unmarshal string into Go struct field ConfigMap.data of type map[string]string");
  EXPECT_EQ(error_of(R"({"labels":{"a":true}})", "meta.v1.ObjectMeta", "metadata"),
            "json: cannot unmarshal bool into Go struct field ObjectMeta.metadata.labels of type string");
}

TEST(DecodingError, IsEmptyForValuesOfTheirType) {
  EXPECT_EQ(error_of(R"({"spec":{"replicas":null,"template":{"spec":{"containers":[{"name":"a","unknown":1,
      "resources":{"limits":{"cpu":1}}}]}}},"unknown":1})",
                     "apps.v1.Deployment"),
            "");
}

}  // namespace
}  // namespace pintle::apiserver
