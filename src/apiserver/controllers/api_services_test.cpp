// SPDX-License-Identifier: Apache-2.0
// The APIServices of the groups of definitions.
#include "../test_server.hpp"

namespace pintle {
namespace {

const std::string api_services = "/apis/apiregistration.k8s.io/v1/apiservices";

class ApiServicesTest : public ServerTest {
 protected:
  ApiServicesTest() : ServerTest({.cluster_objects = true}) {}

  void define(const std::string& group) {
    ASSERT_EQ(post(definitions, widget_definition(group)).status, 201);
    run_until_idle();
  }
};

TEST_F(ApiServicesTest, ContainTheGroupsOfEstablishedDefinitions) {
  EXPECT_EQ(get(api_services + "/v1.x.dev").status, 404);
  define("x.dev");

  const auto made = get(api_services + "/v1.x.dev");
  EXPECT_EQ(made.status, 200) << made.body;
  EXPECT_EQ(made.at("/spec/group") + " " + made.at("/spec/version"), "x.dev v1");
  EXPECT_EQ(made.at("/spec/groupPriorityMinimum") + " " + made.at("/spec/versionPriority"), "1000 100");
  EXPECT_EQ(made.at("/metadata/labels/kube-aggregator.kubernetes.io~1automanaged"), "true");
  EXPECT_EQ(made.at("/status/conditions/0/reason"), "Local");
  EXPECT_EQ(made.at("/status/conditions/0/status"), "True");

  const auto table = get(api_services + "/v1.x.dev", "application/json;as=Table;v=v1;g=meta.k8s.io");
  EXPECT_EQ(table.at("/rows/0/cells/1") + " " + table.at("/rows/0/cells/2"), "Local True");
}

TEST_F(ApiServicesTest, EndWithTheirDefinition) {
  define("x.dev");
  ASSERT_EQ(remove(definitions + "/widgets.x.dev").status, 200);
  run_until_idle();

  EXPECT_EQ(get(api_services + "/v1.x.dev").status, 404);
  EXPECT_EQ(get(api_services + "/v1.apps").status, 200);
}

TEST_F(ApiServicesTest, OfDefinitionsAreRestored) {
  define("x.dev");
  merge(api_services + "/v1.x.dev", R"({"spec":{"versionPriority":7}})");
  run_until_idle();
  EXPECT_EQ(get(api_services + "/v1.x.dev").at("/spec/versionPriority"), "100");

  remove(api_services + "/v1.x.dev");
  run_until_idle();
  EXPECT_EQ(get(api_services + "/v1.x.dev").status, 200);
}

TEST_F(ApiServicesTest, OfClientsStay) {
  const std::string body = R"({"metadata":{"name":"v1.far.dev"},"spec":{"group":"far.dev","version":"v1",
      "groupPriorityMinimum":5,"versionPriority":5,"insecureSkipTLSVerify":true,"service":{"namespace":"n","name":"s"}}})";
  ASSERT_EQ(post(api_services, body).status, 201);
  run_until_idle();

  const auto table = get(api_services + "/v1.far.dev", "application/json;as=Table;v=v1;g=meta.k8s.io");
  EXPECT_EQ(table.at("/rows/0/cells/1") + " " + table.at("/rows/0/cells/2"), "n/s Unknown");
}

TEST_F(ApiServicesTest, AreValidated) {
  const auto refused = post(api_services, R"({"metadata":{"name":"x"},"spec":{"group":"far.dev","version":"v1",
      "groupPriorityMinimum":20001,"versionPriority":0,"insecureSkipTLSVerify":true}})");

  EXPECT_EQ(refused.status, 422);
  EXPECT_EQ(refused.causes(),
            "FieldValueInvalid@metadata.name FieldValueInvalid@spec.groupPriorityMinimum "
            "FieldValueInvalid@spec.versionPriority FieldValueInvalid@spec.insecureSkipTLSVerify");
}

class WithoutApiServices : public ServerTest {};

TEST_F(WithoutApiServices, DefinitionsHaveNone) {
  ASSERT_EQ(post(definitions, widget_definition("x.dev")).status, 201);
  run_until_idle();

  EXPECT_EQ(names("apiservices.apiregistration.k8s.io"), "");
}

}  // namespace
}  // namespace pintle
