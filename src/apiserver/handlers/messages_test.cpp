// SPDX-License-Identifier: Apache-2.0
// Messages of kube-apiserver that kubectl shows.
#include "../test_server.hpp"

namespace pintle {
namespace {

const std::string described_deployments = "/apis/apps/v1/namespaces/default/deployments";

class Messages : public ServerTest {
 protected:
  void SetUp() override {
    ASSERT_EQ(post(config_maps, config_map("a")).status, 201);
    ASSERT_EQ(post(described_deployments, R"({"metadata":{"name":"d"},"spec":{"replicas":2,"selector":
        {"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":
        [{"name":"c","image":"i"}]}}},"status":{}})")
                  .status,
              201);
  }
  std::string message(const TestReply& reply) { return std::to_string(reply.status) + " " + reply.at("/message"); }
  std::string patched(const std::string& body) {
    return message(call("PATCH", described_deployments + "/d", body, "application/json-patch+json"));
  }
};

TEST_F(Messages, AboutAValueOfTheWrongType) {
  const std::string wrong = R"({"metadata":{"name":"d"},"spec":{"replicas":"two"}})";
  const std::string why =
      "json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32";
  const std::string whole = "400 Deployment in version \"v1\" cannot be handled as a Deployment: " + why;

  EXPECT_EQ(message(post(described_deployments, wrong)), whole);
  EXPECT_EQ(message(put(described_deployments + "/d", wrong)), whole);
  EXPECT_EQ(message(post(config_maps, R"({"metadata":{"name":"b","labels":{"a":1}}})")),
            "400 ConfigMap in version \"v1\" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go "
            "struct field ObjectMeta.metadata.labels of type string");
  const auto by_patch = patched(R"([{"op":"replace","path":"/spec/replicas","value":"two"}])");
  EXPECT_TRUE(by_patch.starts_with("422 ") && by_patch.ends_with(why)) << by_patch;
}

TEST_F(Messages, AboutJsonPatches) {
  EXPECT_EQ(patched(R"({"op":"remove"})"),
            "400 error decoding patch: json: cannot unmarshal object into Go value of type jsonpatch.Patch");
  const std::string failed = "422 the server rejected our request due to an error in our request";
  EXPECT_EQ(patched(R"([{"op":"test","path":"/spec/replicas","value":7}])"), failed);
  EXPECT_EQ(patched(R"([{"op":"remove","path":"/spec/nothing"}])"), failed);
}

TEST_F(Messages, AboutTheParametersOfAList) {
  EXPECT_EQ(message(get(config_maps + "?limit=x")), "400 strconv.ParseInt: parsing \"x\": invalid syntax");
  EXPECT_EQ(message(get(config_maps + "?watch=1&timeoutSeconds=x")),
            "400 strconv.ParseInt: parsing \"x\": invalid syntax");
  const std::string version = "resourceVersion: Invalid value: \"x\": strconv.ParseUint: parsing \"x\": invalid syntax";
  EXPECT_EQ(message(get(config_maps + "?resourceVersion=x")), "400 invalid resource version: " + version);
  EXPECT_EQ(message(get(config_maps + "?watch=1&resourceVersion=x")), "500 " + version);
}

TEST_F(Messages, AboutAContinueToken) {
  const std::string wrong = "400 invalid continue token: continue key is not valid";
  EXPECT_EQ(message(get(config_maps + "?continue=x")), wrong + ": illegal base64 data at input byte 0");
  EXPECT_EQ(message(get(config_maps + "?continue=ab!d")), wrong + ": illegal base64 data at input byte 2");
  EXPECT_EQ(message(get(config_maps + "?continue=abcd")), wrong);
}

TEST_F(Messages, AScaleIsATable) {
  const auto table = get(described_deployments + "/d/scale", "application/json;as=Table;v=v1;g=meta.k8s.io");
  EXPECT_EQ(table.at("/kind") + " " + table.at("/apiVersion"), "Table meta.k8s.io/v1") << table.body;
  EXPECT_EQ(table.at("/columnDefinitions/1/name") + " " + table.at("/columnDefinitions/2/name"), "Desired Available");
  EXPECT_EQ(table.at("/rows/0/cells/0") + " " + table.at("/rows/0/cells/1") + " " + table.at("/rows/0/cells/2"),
            "d 2 0");
  EXPECT_EQ(table.at("/rows/0/object/metadata/name"), "d");
  EXPECT_EQ(get(described_deployments + "/d/scale", "application/json").at("/kind"), "Scale");
}

}  // namespace
}  // namespace pintle
