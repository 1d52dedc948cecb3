// SPDX-License-Identifier: Apache-2.0
// Policies and webhooks for the same write.
#include <chrono>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <pintle/json/pointer.hpp>
#include <pintle/object/bytes.hpp>

#include "admission_test_support.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;

// A policy for ConfigMaps. `validations` or `mutations` are the members of its spec.
json::object policy_spec(const char* member, const json::array& items) {
  return {{"matchConstraints",
           {{"resourceRules", json::array{{{"operations", json::array{"CREATE"}},
                                           {"apiGroups", json::array{""}},
                                           {"apiVersions", json::array{"v1"}},
                                           {"resources", json::array{"configmaps"}}}}}}},
          {member, items},
          {"reinvocationPolicy", "IfNeeded"}};
}

TEST_F(AdmissionTest, PoliciesPrecedeWebhooksAndRunAgainAfterThem) {
  const std::string group = "/apis/admissionregistration.k8s.io/v1/";
  // Counts its runs, and copies what the webhook has set.
  const json::array mutations{{{"patchType", "JSONPatch"},
                               {"jsonPatch",
                                {{"expression",
                                  "[JSONPatch{op: 'add', path: '/data', value: {'runs': variables.runs + 'x', 'hook': "
                                  "variables.hook}}]"}}}}};
  json::object spec = policy_spec("mutations", mutations);
  spec["variables"] = json::array{{{"name", "data"}, {"expression", "has(object.data) ? object.data : {}"}},
                                  {{"name", "runs"}, {"expression", "string(variables.data.?runs.orValue(''))"}},
                                  {{"name", "hook"}, {"expression", "string(variables.data.?hook.orValue(''))"}}};
  const auto stored =
      call("POST", group + "mutatingadmissionpolicies", json::print({{"metadata", {{"name", "p"}}}, {"spec", spec}}));
  ASSERT_EQ(stored.status, 201) << stored.body;
  ASSERT_EQ(
      call("POST", group + "mutatingadmissionpolicybindings", R"({"metadata":{"name":"p"},"spec":{"policyName":"p"}})")
          .status,
      201);
  configure(mutating, "/m", rule_for("", "v1", "configmaps", {"CREATE"}), {{"reinvocationPolicy", "IfNeeded"}});
  std::vector<std::string> received;
  webhooks_.answers["/m"] = [&](const json::Value& request) {
    received.push_back(json::print(request.at("object").at("data")));
    return patch({{{"op", "add"}, {"path", "/data/hook"}, {"value", "called"}}});
  };

  const auto made = call("POST", config_maps, R"({"metadata":{"name":"a"}})");
  ASSERT_EQ(made.status, 201) << made.body;
  EXPECT_EQ(received, (std::vector<std::string>{R"({"runs":"x","hook":""})", R"({"runs":"xx","hook":"called"})"}));
  EXPECT_EQ(made.at("/data/runs"), "xx");
  EXPECT_EQ(made.at("/data/hook"), "called");
}

TEST_F(AdmissionTest, PluginsPrecedeTheSecondRoundOfWebhooks) {
  ASSERT_EQ(call("POST", "/api/v1/namespaces/default/limitranges", R"({"metadata":{"name":"l"},"spec":{"limits":[
      {"type":"Container","default":{"cpu":"1"},"defaultRequest":{"cpu":"1"}}]}})")
                .status,
            201);
  configure(mutating, "/m", rule_for("", "v1", "pods", {"CREATE"}), {{"reinvocationPolicy", "IfNeeded"}});
  std::vector<std::string> received;
  webhooks_.answers["/m"] = [&](const json::Value& request) -> json::object {
    const json::Value* sidecar = json::find(request, "/object/spec/containers/1");
    if (sidecar == nullptr) {
      return patch({{{"op", "add"}, {"path", "/spec/containers/-"}, {"value", {{"name", "s"}, {"image", "i"}}}}});
    }
    const json::Value* requests = json::find(*sidecar, "/resources/requests");
    received.push_back(requests == nullptr ? "none" : json::print(*requests));
    return {{"allowed", true}};
  };

  const auto made = call("POST", "/api/v1/namespaces/default/pods",
                         R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"i"}]}})");
  ASSERT_EQ(made.status, 201) << made.body;
  EXPECT_EQ(made.at("/spec/containers/1/resources/limits"), R"({"cpu":"1"})");
  EXPECT_EQ(received, (std::vector<std::string>{R"({"cpu":"1"})"}));
}

TEST_F(AdmissionTest, AWebhookCannotChooseTheSenderOfASigningRequest) {
  configure(mutating, "/m", rule_for("certificates.k8s.io", "v1", "certificatesigningrequests"),
            {{"reinvocationPolicy", "IfNeeded"}});
  webhooks_.answers["/m"] = [](const json::Value&) {
    return patch({{{"op", "add"}, {"path", "/spec/username"}, {"value", "other"}}});
  };
  const auto made =
      call("POST", "/apis/certificates.k8s.io/v1/certificatesigningrequests",
           R"({"metadata":{"name":"r"},"spec":{"signerName":"a.conf.dev/s","usages":["any"],"request":)"
           R"("LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUFBPQotLS0tLUVORCBDRVJUSUZJQ0FURSBSRVFVRVN)"
           R"(ULS0tLS0K"}})");
  ASSERT_EQ(made.status, 201) << made.body;
  EXPECT_EQ(made.at("/spec/username"), "system:anonymous");
}

TEST_F(AdmissionTest, ADenialOfAPolicyPrecedesValidatingWebhooks) {
  const std::string group = "/apis/admissionregistration.k8s.io/v1/";
  const json::array validations{{{"expression", "object.data.hook != 'called'"}, {"message", "no hook"}}};
  json::object spec = policy_spec("validations", validations);
  spec.erase("reinvocationPolicy");
  ASSERT_EQ(
      call("POST", group + "validatingadmissionpolicies", json::print({{"metadata", {{"name", "p"}}}, {"spec", spec}}))
          .status,
      201);
  ASSERT_EQ(call("POST", group + "validatingadmissionpolicybindings",
                 R"({"metadata":{"name":"p"},"spec":{"policyName":"p","validationActions":["Deny"]}})")
                .status,
            201);
  configure(mutating, "/m", rule_for("", "v1", "configmaps"));
  configure(validating, "/v", rule_for("", "v1", "configmaps"));
  webhooks_.answers["/m"] = [](const json::Value&) {
    return patch({{{"op", "add"}, {"path", "/data"}, {"value", {{"hook", "called"}}}}});
  };

  const auto refused = call("POST", config_maps, R"({"metadata":{"name":"a"}})");
  EXPECT_EQ(refused.status, 422);
  EXPECT_NE(refused.body.find("no hook"), std::string::npos) << refused.body;
  EXPECT_EQ(webhooks_.asked, (std::vector<std::string>{"/m CREATE"}));
}

}  // namespace
}  // namespace pintle
