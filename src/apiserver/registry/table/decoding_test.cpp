// SPDX-License-Identifier: Apache-2.0
#include "decoding.hpp"

#include <gtest/gtest.h>

namespace pintle::apiserver {
namespace {

std::string error_of(std::string_view text, std::string_view type, const DecodedPlace& place = {}) {
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
  EXPECT_EQ(error_of(R"({"labels":{"a":true}})", "meta.v1.ObjectMeta", {.path = "metadata"}),
            "json: cannot unmarshal bool into Go struct field ObjectMeta.metadata.labels of type string");
}

TEST(DecodingError, NamesTheMetadataOfTheWholeOrAlone) {
  const char* meta = "meta.v1.ObjectMeta";
  const DecodedPlace whole{.path = "metadata", .owner = "ConfigMap"};
  EXPECT_EQ(error_of(R"({"generation":"x"})", meta, whole),
            "json: cannot unmarshal string into Go struct field ObjectMeta.metadata.generation of type int64");
  EXPECT_EQ(error_of(R"("x")", meta, whole),
            "json: cannot unmarshal string into Go struct field ConfigMap.metadata of type v1.ObjectMeta");
  EXPECT_EQ(error_of(R"({"generation":"x"})", meta),
            "json: cannot unmarshal string into Go struct field ObjectMeta.generation of type int64");
  EXPECT_EQ(error_of(R"("x")", meta), "json: cannot unmarshal string into Go value of type v1.ObjectMeta");
  EXPECT_EQ(error_of(R"({"uid":5})", meta),
            "json: cannot unmarshal number into Go struct field ObjectMeta.uid of type types.UID");
}

// A type that decodes its text itself ends the decoding, so its error comes before earlier ones.
TEST(DecodingError, IsThatOfATextThatCannotBeRead) {
  const char* meta = "meta.v1.ObjectMeta";
  EXPECT_EQ(error_of(R"({"generation":"x","creationTimestamp":5,"deletionTimestamp":6})", meta),
            "json: cannot unmarshal number into Go struct field ObjectMeta.creationTimestamp of type string");
  const auto time = [&](const std::string& text) { return error_of(R"({"creationTimestamp":")" + text + "\"}", meta); };
  const std::string layout = R"( as "2006-01-02T15:04:05Z07:00": cannot parse )";
  EXPECT_EQ(time("now"), R"(parsing time "now")" + layout + R"("now" as "2006")");
  EXPECT_EQ(time("2026-1-02T03:04:05Z"),
            R"(parsing time "2026-1-02T03:04:05Z")" + layout + R"("1-02T03:04:05Z" as "01")");
  EXPECT_EQ(time("2026-01-02 03:04:05Z"), R"(parsing time "2026-01-02 03:04:05Z")" + layout + R"(" 03:04:05Z" as "T")");
  EXPECT_EQ(time("2026-01-02T03:04:05"), R"(parsing time "2026-01-02T03:04:05")" + layout + R"("" as "Z07:00")");
  EXPECT_EQ(time("2026-13-02T03:04:05Z"), R"(parsing time "2026-13-02T03:04:05Z": month out of range)");
  EXPECT_EQ(time("2026-02-30T03:04:05Z"), R"(parsing time "2026-02-30T03:04:05Z": day out of range)");
  EXPECT_EQ(time("2026-02-03T03:04:05Zx"), R"(parsing time "2026-02-03T03:04:05Zx": extra text: "x")");
  const auto memory = [](const std::string& value) {
    return error_of(R"({"spec":{"containers":[{"resources":{"limits":{"memory":)" + value + "}}}]}}", "core.v1.Pod");
  };
  const std::string pattern =
      "quantities must match the regular expression "
      "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
  EXPECT_EQ(memory(R"("much")"), pattern);
  EXPECT_EQ(memory("true"), pattern);
  EXPECT_EQ(memory(R"("1Mo")"), pattern);
  EXPECT_EQ(memory(R"("1Mk")"), "unable to parse quantity's suffix");
  EXPECT_EQ(error_of(R"({"spec":{"ports":[{"port":"a","targetPort":true}]}})", "core.v1.Service"),
            "json: cannot unmarshal bool into Go struct field ServicePort.spec.ports.targetPort of type int32");
}

TEST(DecodingError, NamesTheFirstWrongByteOfBase64) {
  const auto data = [](const std::string& text) {
    const std::string error = error_of(R"({"data":{"a":")" + text + "\"}}", "core.v1.Secret");
    const std::string begin = "illegal base64 data at input byte ";
    return error.starts_with(begin) ? error.substr(begin.size()) : error;
  };
  EXPECT_EQ(data("YQ==") + data("YWI=") + data("") + data("YWJj"), "");
  EXPECT_EQ(data("?"), "0");
  EXPECT_EQ(data("YW?="), "2");
  EXPECT_EQ(data("YWJjYQ"), "4");
  EXPECT_EQ(data("YQ="), "3");
  EXPECT_EQ(data("YQ=b"), "2");
  EXPECT_EQ(data("YQ==YQ=="), "4");
}

TEST(DecodingError, IsEmptyForValuesOfTheirType) {
  EXPECT_EQ(error_of(R"({"spec":{"replicas":null,"template":{"spec":{"containers":[{"name":"a","unknown":1,
      "resources":{"limits":{"cpu":1}}}]}}},"unknown":1})",
                     "apps.v1.Deployment"),
            "");
}

}  // namespace
}  // namespace pintle::apiserver
