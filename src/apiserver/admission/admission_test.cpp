// SPDX-License-Identifier: Apache-2.0
// Admission by webhooks, beyond the recorded scenarios.
#include <chrono>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <pintle/object/bytes.hpp>

#include "admission_test_support.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;

TEST_F(AdmissionTest, OnlyWritesWaitForWebhooksAndOnlyIfThereAreSome) {
  EXPECT_EQ(call("POST", config_maps, R"({"metadata":{"name":"a"}})").status, 201);
  EXPECT_FALSE(deferred_);

  configure(validating, "/v", rule_for("", "v1", "configmaps"));
  EXPECT_EQ(call("GET", config_maps + "/a").status, 200);
  EXPECT_FALSE(deferred_);
  EXPECT_EQ(call("DELETE", config_maps + "/a").status, 200);
  EXPECT_TRUE(deferred_);
  EXPECT_EQ(webhooks_.asked, (std::vector<std::string>{"/v DELETE"}));
}

TEST_F(AdmissionTest, AMutatingWebhookOfACreationReceivesNoVersion) {
  configure(mutating, "/m", rule_for("apps", "v1", "deployments"));
  const auto made = call("POST", "/apis/apps/v1/namespaces/default/deployments",
                         R"({"metadata":{"name":"d"},"spec":{"selector":{"matchLabels":{"a":"b"}},"template":
      {"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"i"}]}}}})");
  EXPECT_EQ(made.status, 201) << made.body;
  EXPECT_EQ(made.at("/metadata/generation"), "1");

  const json::object& metadata = webhooks_.last.at("object").at("metadata").as_object();
  EXPECT_TRUE(metadata.contains("uid"));
  EXPECT_FALSE(metadata.contains("resourceVersion"));
  EXPECT_FALSE(metadata.contains("generation"));
}

TEST_F(AdmissionTest, ALostResponseOfAnAdmittedWriteIsAWriteAllTheSame) {
  configure(validating, "/v", rule_for("", "v1", "configmaps"));
  server_.set_faults(
      {.rules = {{.effect = http::Drop{.after_commit = true}, .only = RequestMatcher{.verbs = {"create"}}}}});

  EXPECT_EQ(call("POST", config_maps, R"({"metadata":{"name":"a"}})").status, 0);
  EXPECT_EQ(server_.objects("configmaps").size(), 1U);
}

TEST_F(AdmissionTest, ARefusedDeletionInANamespaceIsRepeatedWithoutAnotherWrite) {
  bool is_allowed = false;
  webhooks_.answers["/v"] = [&](const json::Value&) { return json::object{{"allowed", is_allowed}}; };
  configure(validating, "/v", rule_for("", "v1", "configmaps", {"DELETE"}));
  ASSERT_EQ(call("POST", "/api/v1/namespaces", R"({"metadata":{"name":"shop"}})").status, 201);
  ASSERT_EQ(call("POST", "/api/v1/namespaces/shop/configmaps", R"({"metadata":{"name":"a"}})").status, 201);
  ASSERT_EQ(call("DELETE", "/api/v1/namespaces/shop").status, 200);
  executor_.sleep_for(10s);
  EXPECT_EQ(call("GET", "/api/v1/namespaces/shop/configmaps/a").status, 200);
  EXPECT_GT(webhooks_.asked.size(), 3U);
  EXPECT_LT(webhooks_.asked.size(), 20U) << "the delay grows";
  EXPECT_EQ(webhooks_.last.at("userInfo").at("username").as_string(),
            "system:serviceaccount:kube-system:namespace-controller");

  is_allowed = true;
  executor_.sleep_for(61s);
  EXPECT_EQ(call("GET", "/api/v1/namespaces/shop").status, 404);
}

TEST_F(AdmissionTest, CallsAServiceByTheTable) {
  configure(validating, "/v", rule_for("", "v1", "configmaps"),
            {{"clientConfig",
              {{"service", {{"name", "op"}, {"namespace", "default"}, {"path", "/of-service"}}},
               {"caBundle", server_of_webhooks_.ca_bundle}}}});

  EXPECT_EQ(call("POST", config_maps, R"({"metadata":{"name":"a"}})").status, 201);
  EXPECT_EQ(webhooks_.asked, (std::vector<std::string>{"/of-service CREATE"}));
}

TEST_F(AdmissionTest, GarbageCollectionPassesWebhooksAndIsRetried) {
  configure(validating, "/v", rule_for("", "v1", "configmaps"), {{"failurePolicy", "Fail"}});
  const auto owner = call("POST", config_maps, R"({"metadata":{"name":"owner"}})");
  call(
      "POST", config_maps,
      R"({"metadata":{"name":"owned","ownerReferences":[{"apiVersion":"v1","kind":"ConfigMap","name":"owner","uid":")" +
          owner.at("/metadata/uid") + R"("}]}})");
  webhooks_.asked.clear();
  const Instant begin = executor_.now();
  webhooks_.answers["/v"] = [&](const json::Value& request) {
    const bool is_owned = request.at("name") == "owned";
    return json::object{{"allowed", !is_owned || executor_.now() - begin > 1s}};
  };

  call("DELETE", config_maps + "/owner");
  executor_.sleep_for(500ms);
  EXPECT_EQ(server_.objects("configmaps").size(), 1U);
  EXPECT_FALSE(server_.is_idle());
  for (int i = 0; i < 100 && !server_.is_idle(); ++i) executor_.sleep_for(100ms);
  EXPECT_TRUE(server_.objects("configmaps").empty());
  EXPECT_EQ(webhooks_.last.at("userInfo").at("username"),
            "system:serviceaccount:kube-system:generic-garbage-collector");
  EXPECT_GT(webhooks_.asked.size(), 3U);
  EXPECT_LT(webhooks_.asked.size(), 15U) << "the delay between two attempts grows";
}

TEST_F(AdmissionTest, AnEvictionIsSentAndNotTheDeletionThatItCauses) {
  configure(validating, "/v", rule_for("*", "*", "*/*"));
  call("POST", "/api/v1/namespaces/default/pods",
       R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"i"}]}})");
  webhooks_.asked.clear();

  const auto evicted = call("POST", "/api/v1/namespaces/default/pods/p/eviction", R"({"metadata":{"name":"p"}})");
  EXPECT_EQ(evicted.status, 201) << evicted.body;
  EXPECT_EQ(webhooks_.asked, (std::vector<std::string>{"/v CREATE"}));
  EXPECT_EQ(webhooks_.last.at("subResource"), "eviction");
  EXPECT_EQ(webhooks_.last.at("kind").at("kind"), "Eviction");
}

TEST_F(AdmissionTest, ABindingIsSentAndCanBeDenied) {
  configure(validating, "/v", rule_for("", "v1", "pods/binding"));
  webhooks_.answers["/v"] = [](const json::Value& request) {
    return json::object{{"allowed", request.at("object").at("target").at("name") != "bad"}};
  };
  call("POST", "/api/v1/namespaces/default/pods",
       R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"i"}]}})");

  const auto bind = [&](const char* node) {
    return call("POST", "/api/v1/namespaces/default/pods/p/binding",
                std::string(R"({"metadata":{"name":"p"},"target":{"kind":"Node","name":")") + node + R"("}})");
  };
  EXPECT_EQ(bind("bad").status, 400);
  EXPECT_EQ(bind("good").status, 201);
  EXPECT_EQ(call("GET", "/api/v1/namespaces/default/pods/p").at("/spec/nodeName"), "good");
}

TEST_F(AdmissionTest, AScaleCanBeChanged) {
  configure(mutating, "/m", rule_for("apps", "v1", "deployments/scale"));
  webhooks_.answers["/m"] = [](const json::Value&) {
    return patch({{{"op", "replace"}, {"path", "/spec/replicas"}, {"value", 3}}});
  };
  call("POST", "/apis/apps/v1/namespaces/default/deployments",
       R"({"metadata":{"name":"d"},"spec":{"selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":
         {"a":"b"}},"spec":{"containers":[{"name":"c","image":"i"}]}}}})");

  const auto scaled = call("PUT", "/apis/apps/v1/namespaces/default/deployments/d/scale",
                           R"({"metadata":{"name":"d"},"spec":{"replicas":50}})");
  EXPECT_EQ(scaled.status, 200) << scaled.body;
  EXPECT_EQ(scaled.at("/spec/replicas"), "3");
  EXPECT_EQ(webhooks_.asked, (std::vector<std::string>{"/m UPDATE"}));
}

TEST_F(AdmissionTest, AMutatingWebhookOfTheStatusChangesOnlyTheStatus) {
  configure(mutating, "/m", rule_for("", "v1", "pods/status"));
  webhooks_.answers["/m"] = [](const json::Value&) {
    return patch({{{"op", "add"}, {"path", "/status/message"}, {"value", "m"}},
                  {{"op", "add"}, {"path", "/spec/hostname"}, {"value", "h"}}});
  };
  call("POST", "/api/v1/namespaces/default/pods",
       R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"i"}]}})");

  http::Request request{.method = "PATCH",
                        .target = "/api/v1/namespaces/default/pods/p/status",
                        .headers = {{"Content-Type", "application/merge-patch+json"}},
                        .body = R"({"status":{"phase":"Running"}})"};
  EXPECT_EQ(server_.handle(request).deferred().status, 200);
  const auto pod = call("GET", "/api/v1/namespaces/default/pods/p");
  EXPECT_EQ(pod.at("/status/message"), "m");
  EXPECT_EQ(pod.at("/status/phase"), "Running");
  EXPECT_EQ(pod.at("/spec/hostname"), "");
}

TEST_F(AdmissionTest, ARequestInAnotherGroupIsSentInTheVersionOfTheRule) {
  configure(validating, "/v", rule_for("autoscaling", "v1", "horizontalpodautoscalers"));

  const auto made = call("POST", "/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers",
                         R"({"metadata":{"name":"h"},"spec":{"maxReplicas":3,"scaleTargetRef":{"apiVersion":"apps/v1",
      "kind":"Deployment","name":"d"},"metrics":[{"type":"Resource","resource":{"name":"cpu","target":
      {"type":"Utilization","averageUtilization":70}}}]}})");
  EXPECT_EQ(made.status, 201) << made.body;
  EXPECT_EQ(json::print(webhooks_.last.at("object").at("spec").at("targetCPUUtilizationPercentage")), "70");
  EXPECT_EQ(webhooks_.last.at("kind").at("version"), "v1");
  EXPECT_EQ(webhooks_.last.at("requestKind").at("version"), "v2");
}

TEST_F(AdmissionTest, ADeletedConfigurationIsNoLongerUsed) {
  configure(validating, "/v", rule_for("", "v1", "configmaps"));
  call("DELETE", validating + "/v");

  EXPECT_EQ(call("POST", config_maps, R"({"metadata":{"name":"a"}})").status, 201);
  EXPECT_TRUE(webhooks_.asked.empty());
  EXPECT_FALSE(deferred_);
}

TEST_F(AdmissionTest, AStaleUpdateIsAConflictEvenIfAWebhookChangesTheObject) {
  call("POST", config_maps, R"({"metadata":{"name":"a"},"data":{"k":"1"}})");
  configure(mutating, "/m", rule_for("", "v1", "configmaps"));
  webhooks_.answers["/m"] = [](const json::Value&) {
    return patch({{{"op", "add"}, {"path", "/metadata/labels"}, {"value", {{"m", "1"}}}}});
  };

  const auto stale = call("PUT", config_maps + "/a", R"({"metadata":{"name":"a","resourceVersion":"1"},"data":{}})");
  EXPECT_EQ(stale.status, 409) << stale.body;
  EXPECT_EQ(call("GET", config_maps + "/a").at("/data/k"), "1");
  EXPECT_EQ(call("PUT", config_maps + "/a", R"({"metadata":{"name":"a"},"data":{"k":"2"}})").status, 200);
  EXPECT_EQ(call("GET", config_maps + "/a").at("/metadata/labels/m"), "1");
}

TEST_F(AdmissionTest, AWebhookCannotRemoveTheSystemFieldsOfANewObject) {
  configure(mutating, "/m", rule_for("", "v1", "configmaps"));
  webhooks_.answers["/m"] = [](const json::Value&) {
    return patch({{{"op", "replace"}, {"path", "/metadata"}, {"value", {{"name", "a"}}}}});
  };
  const auto refused = call("POST", config_maps, R"({"metadata":{"name":"a"}})");
  EXPECT_EQ(refused.status, 500);
  EXPECT_NE(refused.at("/message").find("system metadata was not initialized"), std::string::npos) << refused.body;

  webhooks_.answers["/m"] = [](const json::Value&) {
    return patch({{{"op", "remove"}, {"path", "/metadata/namespace"}}});
  };
  EXPECT_EQ(call("POST", config_maps, R"({"metadata":{"name":"a"}})").at("/metadata/namespace"), "default");
}

TEST_F(AdmissionTest, AFalseConditionCountsMoreThanTheErrorOfAnotherOne) {
  const auto condition = [](const char* name, const char* expression) -> json::Value {
    return {{"name", name}, {"expression", expression}};
  };
  configure(validating, "/v", rule_for("", "v1", "configmaps"),
            {{"matchConditions", json::array{condition("error", "object.data.missing == 'x'"),
                                             condition("false", "object.metadata.name == 'never'")}}});

  EXPECT_EQ(call("POST", config_maps, R"({"metadata":{"name":"a"},"data":{"k":"v"}})").status, 201);
  EXPECT_EQ(call("POST", config_maps, R"({"metadata":{"name":"never"},"data":{"k":"v"}})").status, 403);
  EXPECT_TRUE(webhooks_.asked.empty());
}

TEST_F(AdmissionTest, ASelectorWithAnInvalidValueIsNotStored) {
  const json::Value hook{
      {"name", "v.a.dev"},
      {"clientConfig", {{"url", "https://127.0.0.1:9443/v"}}},
      {"rules", json::array{rule_for("", "v1", "configmaps")}},
      {"sideEffects", "None"},
      {"objectSelector",
       {{"matchExpressions", json::array{{{"key", "a"}, {"operator", "In"}, {"values", json::array{"not valid!"}}}}}}},
      {"admissionReviewVersions", json::array{"v1"}}};
  const auto refused =
      call("POST", validating, json::print({{"metadata", {{"name", "v"}}}, {"webhooks", json::array{hook}}}));
  EXPECT_EQ(refused.status, 422);
  EXPECT_EQ(refused.causes(), "FieldValueInvalid@webhooks[0].objectSelector.matchExpressions[0].values[0]");
}

TEST_F(AdmissionTest, AReviewOfV1beta1IsReadLessStrictly) {
  configure(mutating, "/m", rule_for("", "v1", "configmaps"),
            {{"admissionReviewVersions", json::array{"v1beta1", "v1"}}});
  webhooks_.keeps_uid = false;
  webhooks_.answers["/m"] = [](const json::Value&) {
    json::object response = patch({{{"op", "add"}, {"path", "/data"}, {"value", {{"k", "v"}}}}});
    response.erase("patchType");
    return response;
  };

  const auto made = call("POST", config_maps, R"({"metadata":{"name":"a"}})");
  EXPECT_EQ(made.status, 201) << made.body;
  EXPECT_EQ(made.at("/data/k"), "v");
}

TEST_F(AdmissionTest, WarningsReachTheClientIfAnythingRefusesTheRequestLater) {
  configure(mutating, "/m", rule_for("", "v1", "configmaps"));
  webhooks_.answers["/m"] = [](const json::Value&) {
    return json::object{{"allowed", true}, {"warnings", json::array{"careful", "careful"}}};
  };

  const auto invalid = call("POST", config_maps, R"({"metadata":{"name":"Not_A_Name"}})");
  EXPECT_EQ(invalid.status, 422);
  EXPECT_EQ(invalid.headers.get_all("Warning").size(), 1U);
  EXPECT_EQ(call("POST", config_maps, R"({"metadata":{"name":"a"}})").status, 201);
  const auto exists = call("POST", config_maps, R"({"metadata":{"name":"a"}})");
  EXPECT_EQ(exists.status, 409);
  EXPECT_EQ(exists.headers.get("Warning").value_or(""), R"(299 - "careful")");
  const auto deleted = call("DELETE", config_maps + "/a");
  EXPECT_EQ(deleted.headers.get("Warning").value_or(""), R"(299 - "careful")");
}

TEST_F(AdmissionTest, AuditAnnotationsAreKept) {
  configure(validating, "/v", rule_for("", "v1", "configmaps"));
  webhooks_.answers["/v"] = [](const json::Value&) {
    return json::object{{"allowed", false}, {"auditAnnotations", {{"why", "because"}}}};
  };

  EXPECT_EQ(call("POST", config_maps, R"({"metadata":{"name":"a"}})").status, 400);
  const auto all = server_.audit_annotations();
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].key, "v.a.dev/why");
  EXPECT_EQ(all[0].value, "because");
  EXPECT_EQ(all[0].name, "a");
}

}  // namespace
}  // namespace pintle
