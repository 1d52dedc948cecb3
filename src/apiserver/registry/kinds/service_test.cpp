// SPDX-License-Identifier: Apache-2.0
// The addresses and ports that the server assigns to a Service.
#include "../../test_server.hpp"

namespace pintle {
namespace {

const std::string services_path = "/api/v1/namespaces/default/services";

class Services : public ServerTest {};

TEST_F(Services, KeepTheirAssignedAddressesAndPorts) {
  const std::string body =
      R"({"metadata":{"name":"s"},"spec":{"type":"NodePort","ports":[{"name":"a","port":80},{"name":"b","port":81}]}})";
  const auto made = post(services_path, body);
  const auto again = put(services_path + "/s", body);

  EXPECT_EQ(again.status, 200);
  EXPECT_NE(made.at("/spec/clusterIP"), "");
  EXPECT_EQ(again.at("/spec"), made.at("/spec"));
  EXPECT_NE(made.at("/spec/ports/0/nodePort"), made.at("/spec/ports/1/nodePort"));
  const auto swapped = put(services_path + "/s", R"({"metadata":{"name":"s"},"spec":{"type":"NodePort","ports":[
      {"name":"b","port":81},{"name":"a","port":80}]}})");
  EXPECT_EQ(swapped.at("/spec/ports/1/nodePort"), made.at("/spec/ports/0/nodePort"));
}

TEST_F(Services, HaveDistinctAddresses) {
  const std::string body = R"("},"spec":{"ports":[{"port":80}]}})";
  EXPECT_NE(post(services_path, R"({"metadata":{"name":"a)" + body).at("/spec/clusterIP"),
            post(services_path, R"({"metadata":{"name":"b)" + body).at("/spec/clusterIP"));
}

TEST_F(Services, CannotChangeTheirAddress) {
  post(services_path, R"({"metadata":{"name":"s"},"spec":{"ports":[{"port":80}]}})");

  EXPECT_EQ(merge(services_path + "/s", R"({"spec":{"clusterIP":"10.96.77.7"}})").causes(),
            "FieldValueInvalid@spec.clusterIPs[0]");
}

TEST_F(Services, AreRefusedWithoutPorts) {
  EXPECT_EQ(post(services_path, R"({"metadata":{"name":"s"},"spec":{}})").causes(), "FieldValueRequired@spec.ports");
  EXPECT_EQ(
      post(services_path, R"({"metadata":{"name":"s"},"spec":{"ports":[{"port":80},{"port":0,"name":"b"}]}})").causes(),
      "FieldValueRequired@spec.ports[0].name FieldValueInvalid@spec.ports[1].port "
      "FieldValueInvalid@spec.ports[1].targetPort");
  EXPECT_EQ(post(services_path, R"({"metadata":{"name":"s"},"spec":{"type":"ExternalName"}})").causes(),
            "FieldValueRequired@spec.externalName");
}

TEST_F(Services, AreNamedByTheRulesOfTheirKind) {
  const auto causes = [&](const std::string& path, const std::string& name) {
    return post(path, R"({"metadata":{"name":")" + name + R"("},"spec":{"ports":[{"port":80}]}})").causes();
  };
  const std::string roles = "/apis/rbac.authorization.k8s.io/v1/clusterroles";

  EXPECT_EQ(causes(services_path, "1st"), "FieldValueInvalid@metadata.name");
  EXPECT_EQ(causes(services_path, "first"), "");
  EXPECT_EQ(causes(roles, "system:node"), "");
  EXPECT_EQ(causes(roles, "a%b"), "FieldValueInvalid@metadata.name");
}

}  // namespace
}  // namespace pintle
