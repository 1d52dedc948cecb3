// SPDX-License-Identifier: Apache-2.0
// Webhooks that fail, that respond too late, and that respond with something else than a review.
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
  for (const json::Value& other : {json::Value(json::array()), json::Value{{"kind", "ConfigMap"}}}) {
    webhooks_.answers["/m"] = [&](const json::Value&) {
      return patch({{{"op", "replace"}, {"path", ""}, {"value", other}}});
    };
    EXPECT_EQ(call("PUT", scale, R"({"metadata":{"name":"d"},"spec":{"replicas":5}})").status, 500);
  }
  EXPECT_EQ(call("GET", scale).at("/spec/replicas"), "2");
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
