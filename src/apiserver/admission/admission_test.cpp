// SPDX-License-Identifier: Apache-2.0
// Admission by webhooks, beyond the recorded scenarios.
#include <chrono>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <pintle/object/bytes.hpp>

#include "apiserver/test_server.hpp"
#include "apiserver/test_webhooks.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;

// A webhook server whose responses a test sets by path.
class Webhooks final : public http::Handler {
 public:
  using Answer = std::function<json::object(const json::Value& request)>;

  http::Response handle(const http::Request& request) override {
    const json::Value review = json::parse(request.body).value();
    const std::string path = request.target.substr(0, request.target.find('?'));
    asked.push_back(path + " " + std::string(review.at("request").at("operation").as_string()));
    last = review.at("request");
    const auto found = answers.find(path);
    json::object response = found == answers.end() ? json::object{{"allowed", true}} : found->second(last);
    if (keeps_uid) response["uid"] = review.at("request").at("uid");
    const json::Value out{
        {"apiVersion", review.at("apiVersion")}, {"kind", "AdmissionReview"}, {"response", std::move(response)}};
    return {.headers = {{"Content-Type", "application/json"}}, .body = json::print(out)};
  }

  std::map<std::string, Answer> answers;
  std::vector<std::string> asked;
  bool keeps_uid = true;
  json::Value last;
};

json::object patch(const json::array& operations) {
  return {{"allowed", true}, {"patchType", "JSONPatch"}, {"patch", Bytes(json::print(operations)).to_base64()}};
}

class AdmissionTest : public testing::Test {
 protected:
  inline static const std::string validating = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
  inline static const std::string mutating = "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations";
  inline static const std::string config_maps = "/api/v1/namespaces/default/configmaps";

  TestReply call(std::string method, std::string target, std::string body = "") {
    http::Request request{.method = std::move(method), .target = std::move(target), .body = std::move(body)};
    if (!request.body.empty()) request.headers.set("Content-Type", "application/json");
    http::Response response = server_.handle(request);
    deferred_ = static_cast<bool>(response.deferred);
    if (response.deferred) response = response.deferred();
    http::read_full_body(response);
    TestReply reply{.status = response.status, .headers = response.headers, .body = response.body};
    if (auto parsed = json::parse(reply.body)) reply.json = std::move(*parsed);
    return reply;
  }

  // Stores a configuration with one webhook. `more` are further members of the webhook.
  void configure(const std::string& collection, const std::string& path, const json::object& rule,
                 const json::object& more = {}) {
    json::object hook{
        {"name", path.substr(1) + ".a.dev"},
        {"clientConfig", {{"url", "https://127.0.0.1:9443" + path}, {"caBundle", server_of_webhooks_.ca_bundle}}},
        {"rules", json::array{rule}},
        {"sideEffects", "None"},
        {"admissionReviewVersions", json::array{"v1"}}};
    for (const auto& [name, value] : more) hook[name] = value;
    const auto made = call("POST", collection,
                           json::print({{"metadata", {{"name", path.substr(1)}}}, {"webhooks", json::array{hook}}}));
    ASSERT_EQ(made.status, 201) << made.body;
  }
  static json::object rule_for(const char* group, const char* version, const char* resource,
                               const json::array& operations = {"*"}) {
    return {{"operations", operations},
            {"apiGroups", json::array{group}},
            {"apiVersions", json::array{version}},
            {"resources", json::array{resource}}};
  }

  SimulatedExecutor executor_{{.seed = 1}};
  Webhooks webhooks_;
  TestWebhooks server_of_webhooks_{executor_, webhooks_};
  bool deferred_ = false;
  ApiServer server_{executor_,
                    {.webhooks = {.transport = server_of_webhooks_.network.transport(),
                                  .services = {{"op.default", "https://127.0.0.1:9443"}}}}};
};

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

TEST_F(AdmissionTest, FailsWithoutATransportUnlessFailuresAreIgnored) {
  ApiServer alone(executor_, {});
  const auto create = [&](const char* name) {
    http::Response response = alone.handle({.method = "POST",
                                            .target = config_maps,
                                            .headers = {{"Content-Type", "application/json"}},
                                            .body = std::string(R"({"metadata":{"name":")") + name + R"("}})"});
    if (response.deferred) response = response.deferred();
    return response;
  };
  http::Response made = alone.handle(
      {.method = "POST",
       .target = validating,
       .headers = {{"Content-Type", "application/json"}},
       .body = R"({"metadata":{"name":"v"},"webhooks":[{"name":"v.a.dev","clientConfig":{"url":"https://h.dev/"},
         "rules":[{"operations":["*"],"apiGroups":[""],"apiVersions":["v1"],"resources":["configmaps"]}],
         "sideEffects":"None","admissionReviewVersions":["v1"]}]})"});
  ASSERT_EQ(made.status, 201) << made.body;

  const http::Response refused = create("a");
  EXPECT_EQ(refused.status, 500);
  EXPECT_NE(refused.body.find("this server was started without a way to call webhooks"), std::string::npos);
}

TEST_F(AdmissionTest, AnExpiredCertificateIsAFailure) {
  configure(validating, "/v", rule_for("", "v1", "configmaps"));
  EXPECT_EQ(call("POST", config_maps, R"({"metadata":{"name":"a"}})").status, 201);

  executor_.sleep_for(2h);
  const auto refused = call("POST", config_maps, R"({"metadata":{"name":"b"}})");
  EXPECT_EQ(refused.status, 500);
  EXPECT_NE(refused.at("/message").find("tls: failed to verify certificate"), std::string::npos) << refused.body;
  EXPECT_EQ(server_.objects("configmaps").size(), 1U);
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

TEST_F(AdmissionTest, ASlowWebhookFailsAtItsTimeLimit) {
  configure(validating, "/v", rule_for("", "v1", "configmaps"), {{"timeoutSeconds", 2}});
  server_of_webhooks_.network.set_faults({{.effect = http::Delay{.duration = 1h}}});
  const Instant begin = executor_.now();

  const auto refused = call("POST", config_maps, R"({"metadata":{"name":"a"}})");
  EXPECT_EQ(refused.status, 500);
  EXPECT_NE(refused.at("/message").find("context deadline exceeded"), std::string::npos) << refused.body;
  EXPECT_LE(executor_.now() - begin, 2100ms);
}

TEST_F(AdmissionTest, AWebhookThatAlwaysFailsIsCalledOnceForEachWrite) {
  configure(validating, "/v", rule_for("", "v1", "configmaps"));
  webhooks_.answers["/v"] = [](const json::Value&) { return json::object{{"allowed", 7}}; };

  for (int i = 0; i < 20; ++i) EXPECT_EQ(call("POST", config_maps, R"({"metadata":{"name":"a"}})").status, 500);
  executor_.sleep_for(1h);
  EXPECT_EQ(webhooks_.asked.size(), 20U);
}

TEST_F(AdmissionTest, AResponseThatIsTooLargeIsAFailure) {
  configure(validating, "/v", rule_for("", "v1", "configmaps"));
  webhooks_.answers["/v"] = [](const json::Value&) {
    return json::object{{"allowed", true}, {"auditAnnotations", {{"a", std::string(std::size_t{17} << 20U, 'x')}}}};
  };

  const auto refused = call("POST", config_maps, R"({"metadata":{"name":"a"}})");
  EXPECT_EQ(refused.status, 500);
  EXPECT_NE(refused.at("/message").find("failed to call webhook"), std::string::npos) << refused.body.substr(0, 300);
}

// A webhook can send any JSON. No response ends the process, and none admits the write by mistake.
TEST_F(AdmissionTest, AMalformedResponseIsAFailure) {
  configure(mutating, "/m", rule_for("", "v1", "configmaps"));
  const char* const malformed[] = {
      R"({"allowed":"true"})",
      R"({"allowed":null})",
      R"({"allowed":true,"patchType":7,"patch":"W10="})",
      R"({"allowed":true,"patchType":"JSONPatch","patch":[]})",
      R"({"allowed":true,"patchType":"JSONPatch","patch":"not base64"})",
      R"({"allowed":true,"patchType":"JSONPatch","patch":"WzFd"})",
      R"({"allowed":true,"patchType":"JSONPatch","patch":"W3sib3AiOjF9XQ=="})",
      R"({"allowed":true,"patchType":"JSONPatch","patch":"W3sib3AiOiJyZXBsYWNlIiwicGF0aCI6IiIsInZhbHVlIjo3fV0="})",
      R"({"allowed":true,"patchType":"JSONPatch","patch":"W3sib3AiOiJyZXBsYWNlIiwicGF0aCI6Ii9tZXRhZGF0YSIsInZhbHVlIjo3fV0="})",
      R"({"allowed":true,"patchType":"JSONPatch","patch":"W3sib3AiOiJyZW1vdmUiLCJwYXRoIjoiL21ldGFkYXRhIn1d"})",
      R"({"allowed":true,"warnings":7})",
      R"({"allowed":true,"warnings":[7]})",
      R"({"allowed":false,"status":7})",
      R"({"allowed":false,"status":{"code":"x","reason":7,"message":[],"details":7}})",
      R"({"allowed":false,"status":{"code":99999,"details":{"causes":7,"retryAfterSeconds":"x"}}})",
      R"({"allowed":false,"status":{"details":{"causes":[7,null]}}})",
  };
  for (const char* text : malformed) {
    webhooks_.answers["/m"] = [&](const json::Value&) { return json::parse(text).value().as_object(); };
    const auto reply = call("POST", config_maps, R"({"metadata":{"name":"a"}})");
    EXPECT_GE(reply.status, 400) << text << "\n" << reply.body;
    EXPECT_LE(reply.status, 599) << text << "\n" << reply.body;
  }
  EXPECT_TRUE(server_.objects("configmaps").empty());
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

TEST_F(AdmissionTest, APatchThatFailsNamesItsOperation) {
  configure(mutating, "/m", rule_for("", "v1", "configmaps"));
  webhooks_.answers["/m"] = [](const json::Value&) {
    return patch({{{"op", "add"}, {"path", "/data"}, {"value", {{"k", "v"}}}},
                  {{"op", "test"}, {"path", "/data/k"}, {"value", "w"}}});
  };
  const auto refused = call("POST", config_maps, R"({"metadata":{"name":"a"}})");
  EXPECT_EQ(refused.at("/message"), "Internal error occurred: testing value /data/k failed: test failed");
}

TEST_F(AdmissionTest, AWebhookCannotTakeTheTargetOfABinding) {
  configure(mutating, "/m", rule_for("", "v1", "pods/binding"));
  webhooks_.answers["/m"] = [](const json::Value&) { return patch({{{"op", "remove"}, {"path", "/target/name"}}}); };
  call("POST", "/api/v1/namespaces/default/pods",
       R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"i"}]}})");

  const auto refused = call("POST", "/api/v1/namespaces/default/pods/p/binding",
                            R"({"metadata":{"name":"p"},"target":{"kind":"Node","name":"n"}})");
  EXPECT_EQ(refused.status, 422) << refused.body;
  EXPECT_EQ(call("GET", "/api/v1/namespaces/default/pods/p").at("/spec/nodeName"), "");
}

TEST_F(AdmissionTest, AWebhookCannotReplaceAScaleBySomethingElse) {
  configure(mutating, "/m", rule_for("apps", "v1", "deployments/scale"));
  call("POST", "/apis/apps/v1/namespaces/default/deployments",
       R"({"metadata":{"name":"d"},"spec":{"replicas":2,"selector":{"matchLabels":{"a":"b"}},"template":{"metadata":
         {"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"i"}]}}}})");
  const std::string scale = "/apis/apps/v1/namespaces/default/deployments/d/scale";
  for (const json::Value& other : {json::Value(7), json::Value{{"kind", "ConfigMap"}}}) {
    webhooks_.answers["/m"] = [&](const json::Value&) {
      return patch({{{"op", "replace"}, {"path", ""}, {"value", other}}});
    };
    EXPECT_EQ(call("PUT", scale, R"({"metadata":{"name":"d"},"spec":{"replicas":5}})").status, 500);
  }
  EXPECT_EQ(call("GET", scale).at("/spec/replicas"), "2");
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

TEST_F(AdmissionTest, AServerThatStopsEndsTheCallsOfSeveralWebhooks) {
  configure(validating, "/v", rule_for("", "v1", "configmaps"));
  configure(validating, "/w", rule_for("", "v1", "configmaps"));
  server_of_webhooks_.network.set_faults({{.effect = http::Delay{.duration = 5s}}});
  Thread stopping = executor_.spawn({.name = "stopping"}, [&] {
    executor_.sleep_for(1s);
    server_.stop();
  });
  const Instant begin = executor_.now();

  EXPECT_EQ(call("POST", config_maps, R"({"metadata":{"name":"a"}})").status, 500);
  EXPECT_LT(executor_.now() - begin, 2s);
}

TEST_F(AdmissionTest, AServerThatStopsEndsItsCalls) {
  configure(validating, "/v", rule_for("", "v1", "configmaps"));
  server_of_webhooks_.network.set_faults({{.effect = http::Delay{.duration = 5s}}});
  Thread stopping = executor_.spawn({.name = "stopping"}, [&] {
    executor_.sleep_for(1s);
    server_.stop();
  });
  const Instant begin = executor_.now();

  EXPECT_EQ(call("POST", config_maps, R"({"metadata":{"name":"a"}})").status, 500);
  EXPECT_LT(executor_.now() - begin, 2s);
}

}  // namespace
}  // namespace pintle
