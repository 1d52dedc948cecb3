// SPDX-License-Identifier: Apache-2.0
// Which requests reach webhooks, and in which order the parts of admission run.
#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "admission_test_support.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST_F(AdmissionTest, APatchThatLostARaceIsAdmittedAgain) {
  call("POST", config_maps, R"({"metadata":{"name":"a"},"data":{"first":"1"}})");
  configure(
      mutating, "/m", rule_for("", "v1", "configmaps"),
      {{"matchConditions", json::array{{{"name", "c"}, {"expression", "request.options.fieldManager != 'other'"}}}}});
  webhooks_.answers["/m"] = [](const json::Value& request) {
    return patch({{{"op", "add"},
                   {"path", "/data/count"},
                   {"value", std::to_string(request.at("object").at("data").as_object().size())}}});
  };
  server_of_webhooks_.network.set_faults({{.effect = http::Delay{.duration = 100ms}}});
  const auto merge = [this](const char* manager, const char* data) {
    http::Response response = server_.handle({.method = "PATCH",
                                              .target = config_maps + "/a?fieldManager=" + manager,
                                              .headers = {{"Content-Type", "application/merge-patch+json"}},
                                              .body = std::string(R"({"data":)") + data + "}"});
    if (response.deferred) response = response.deferred();
    EXPECT_EQ(response.status, 200) << response.body;
  };
  Thread slow = executor_.spawn({.name = "slow"}, [&] { merge("slow", R"({"slow":"1"})"); });
  executor_.sleep_for(50ms);
  merge("other", R"({"other":"1"})");
  slow.join();

  EXPECT_THAT(webhooks_.asked, ElementsAre("/m UPDATE", "/m UPDATE"));
  const auto stored = call("GET", config_maps + "/a");
  EXPECT_EQ(stored.at("/data/other"), "1");
  EXPECT_EQ(stored.at("/data/slow"), "1");
  EXPECT_EQ(stored.at("/data/count"), "3") << "the patch is applied to the newer object";
}

TEST_F(AdmissionTest, ANamespaceThatTakesNoObjectsRefusesBeforeWebhooks) {
  configure(mutating, "/m", rule_for("", "v1", "configmaps"));
  configure(validating, "/v", rule_for("", "v1", "configmaps"));
  EXPECT_EQ(call("POST", "/api/v1/namespaces/none/configmaps", R"({"metadata":{"name":"a"}})").status, 404);

  call("POST", "/api/v1/namespaces", R"({"metadata":{"name":"ends"}})");
  const std::string ends = "/api/v1/namespaces/ends/secrets";
  call("POST", ends, R"({"metadata":{"name":"kept","finalizers":["a.dev/kept"]}})");
  call("DELETE", "/api/v1/namespaces/ends");
  const auto refused = call("POST", "/api/v1/namespaces/ends/configmaps", R"({"metadata":{"name":"a"}})");
  EXPECT_EQ(refused.status, 403);
  EXPECT_EQ(refused.causes(), "NamespaceTerminating@metadata.namespace");
  EXPECT_THAT(webhooks_.asked, IsEmpty());
}

// Only configurations of admission are exempt.
TEST_F(AdmissionTest, ReviewsAreSentToWebhooks) {
  configure(validating, "/v",
            {{"operations", json::array{"*"}},
             {"apiGroups", json::array{"*"}},
             {"apiVersions", json::array{"*"}},
             {"resources", json::array{"*/*"}}});
  call("POST", "/apis/authentication.k8s.io/v1/tokenreviews", R"({"spec":{"token":"t"}})");
  EXPECT_EQ(webhooks_.last.at("resource").at("resource"), "tokenreviews");
  call("POST", "/apis/authorization.k8s.io/v1/subjectaccessreviews",
       R"({"spec":{"user":"u","resourceAttributes":{"verb":"get","resource":"pods"}}})");
  EXPECT_EQ(webhooks_.last.at("resource").at("resource"), "subjectaccessreviews");
  EXPECT_EQ(webhooks_.asked.size(), 2U);
}

TEST_F(AdmissionTest, AWebhookHasAtMost64MatchConditions) {
  json::array conditions;
  for (int i = 0; i < 64; ++i) conditions.push_back({{"name", "c" + std::to_string(i)}, {"expression", "true"}});
  configure(validating, "/v", rule_for("", "v1", "configmaps"), {{"matchConditions", conditions}});

  conditions.push_back({{"name", "last"}, {"expression", "true"}});
  http::Response refused =
      server_.handle({.method = "PATCH",
                      .target = validating + "/v",
                      .headers = {{"Content-Type", "application/json-patch+json"}},
                      .body = json::print(json::array{
                          {{"op", "replace"}, {"path", "/webhooks/0/matchConditions"}, {"value", conditions}}})});
  if (refused.deferred) refused = refused.deferred();
  EXPECT_EQ(refused.status, 422);
  EXPECT_THAT(refused.body, HasSubstr("Too many: 65: must have at most 64 items"));
}

// Events are in two groups.
TEST_F(AdmissionTest, AnEquivalentKindMayBeInAnotherGroup) {
  configure(validating, "/v", rule_for("events.k8s.io", "v1", "events"));
  const auto made = call("POST", "/api/v1/namespaces/default/events",
                         R"({"metadata":{"name":"e"},"involvedObject":{"namespace":"default","name":"x"}})");
  EXPECT_EQ(made.status, 201) << made.body;
  EXPECT_EQ(webhooks_.last.at("kind").at("group"), "events.k8s.io");
  EXPECT_EQ(webhooks_.last.at("requestKind").at("group"), "");
  EXPECT_EQ(webhooks_.last.at("object").at("regarding").at("name"), "x");

  call("DELETE", validating + "/v");
  webhooks_.asked.clear();
  configure(validating, "/w", rule_for("events.k8s.io", "v1", "events"), {{"matchPolicy", "Exact"}});
  call("POST", "/api/v1/namespaces/default/events",
       R"({"metadata":{"name":"f"},"involvedObject":{"namespace":"default","name":"x"}})");
  EXPECT_THAT(webhooks_.asked, IsEmpty());
}

TEST_F(AdmissionTest, AConnectionToAPodIsSentToWebhooks) {
  configure(validating, "/v", rule_for("", "v1", "pods/proxy", {"CONNECT"}));
  const std::string target = "/api/v1/namespaces/default/pods/https:web:8443/proxy/debug/log?limit=5";
  // Without an address for the Pod, an admitted request ends with 503.
  EXPECT_EQ(call("GET", target).status, 503);
  EXPECT_THAT(webhooks_.asked, ElementsAre("/v CONNECT"));
  EXPECT_EQ(json::print(webhooks_.last.at("object")),
            R"({"kind":"PodProxyOptions","apiVersion":"v1","path":"/debug/log"})");
  EXPECT_EQ(webhooks_.last.at("kind").at("kind"), "PodProxyOptions");
  EXPECT_EQ(webhooks_.last.at("resource").at("resource"), "pods");
  EXPECT_EQ(webhooks_.last.at("subResource"), "proxy");
  EXPECT_EQ(webhooks_.last.at("name"), "https:web:8443");
  EXPECT_TRUE(webhooks_.last.at("options").is_null());
  EXPECT_TRUE(webhooks_.last.at("oldObject").is_null());

  webhooks_.answers["/v"] = [](const json::Value&) {
    return json::object{{"allowed", false}, {"status", {{"message", "no proxy"}, {"code", 403}}}};
  };
  const auto denied = call("POST", target, "{}");
  EXPECT_EQ(denied.status, 403);
  EXPECT_EQ(denied.at("/message"), "admission webhook \"v.a.dev\" denied the request: no proxy");
  EXPECT_EQ(call("GET", target + "&dryRun=All").at("/message"), "dryRun is not supported");
}

// The options of a connection have no labels, so no selector of labels selects them.
TEST_F(AdmissionTest, AnObjectSelectorSelectsNoConnection) {
  configure(validating, "/v", rule_for("", "v1", "pods/proxy", {"CONNECT"}),
            {{"objectSelector", {{"matchExpressions", json::array{{{"key", "a"}, {"operator", "DoesNotExist"}}}}}}});
  call("GET", "/api/v1/namespaces/default/pods/web/proxy/");
  EXPECT_THAT(webhooks_.asked, IsEmpty());
}

}  // namespace
}  // namespace pintle
