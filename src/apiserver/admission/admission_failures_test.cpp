// SPDX-License-Identifier: Apache-2.0
// Webhooks that fail, that respond too late, and that respond with something else than a review.
#include <chrono>
#include <map>
#include <string>
#include <vector>

#include <gmock/gmock.h>
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

// Without a bundle, the server trusts the authorities of its system only.
TEST_F(AdmissionTest, AWebhookWithoutABundleIsAFailure) {
  server_of_webhooks_.ca_bundle = "";
  configure(validating, "/v", rule_for("", "v1", "configmaps"));

  const auto refused = call("POST", config_maps, R"({"metadata":{"name":"a"}})");
  EXPECT_EQ(refused.status, 500);
  EXPECT_NE(refused.at("/message").find("tls: failed to verify certificate"), std::string::npos) << refused.body;
  EXPECT_EQ(server_.objects("configmaps").size(), 0U);
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

// The second of two mutating webhooks has the time that the first one left.
TEST_F(AdmissionTest, ATimeoutOfAWriteLimitsTheWebhooksTogether) {
  configure(mutating, "/a", rule_for("", "v1", "configmaps"), {{"failurePolicy", "Ignore"}});
  configure(mutating, "/b", rule_for("", "v1", "configmaps"), {{"failurePolicy", "Ignore"}});
  server_of_webhooks_.network.set_faults({{.effect = http::Delay{.duration = 2s}}});
  const Instant begin = executor_.now();

  const auto refused = call("POST", config_maps + "?timeout=3500ms", R"({"metadata":{"name":"a"}})");
  EXPECT_EQ(refused.status, 504);
  EXPECT_EQ(refused.at("/reason"), "Timeout");
  EXPECT_EQ(refused.at("/message"),
            "Timeout: request did not complete within requested timeout - context deadline exceeded");
  EXPECT_LE(executor_.now() - begin, 3510ms);
  EXPECT_EQ(webhooks_.timeouts, std::vector<std::string>{"timeout=4s"}) << "the seconds left, rounded up";
  EXPECT_EQ(server_.objects("configmaps").size(), 0U);

  EXPECT_EQ(call("POST", config_maps + "?timeout=5s", R"({"metadata":{"name":"a"}})").status, 201);
  EXPECT_EQ(call("DELETE", config_maps + "/a?timeout=1s").status, 504);
}

TEST_F(AdmissionTest, AWriteHasThirtyFourSecondsForItsWebhooks) {
  configure(validating, "/v", rule_for("", "v1", "configmaps"));
  for (const char* path : {"/a", "/b", "/c", "/d"}) {
    configure(mutating, path, rule_for("", "v1", "configmaps"), {{"failurePolicy", "Ignore"}});
  }
  server_of_webhooks_.network.set_faults({{.effect = http::Delay{.duration = 1h}}});
  const Instant begin = executor_.now();

  for (const char* query : {"", "?timeout=0s", "?timeout=1h"}) {
    const Instant start = executor_.now();
    EXPECT_EQ(call("POST", config_maps + query, R"({"metadata":{"name":"a"}})").status, 504) << query;
    EXPECT_EQ(std::chrono::round<std::chrono::seconds>(executor_.now() - start), 34s) << query;
  }
  EXPECT_GE(executor_.now() - begin, 100s);
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

TEST_F(AdmissionTest, AResponseThatBreaksARuleForPatchesIsNamed) {
  configure(mutating, "/m", rule_for("", "v1", "configmaps"));
  configure(validating, "/v", rule_for("", "v1", "secrets"));
  const std::string secrets = "/api/v1/namespaces/default/secrets";
  const struct {
    const std::string& collection;
    const char* response;
    const char* what;
  } cases[] = {
      {config_maps, R"("patch":"W10=")", "webhook returned response.patch but not response.patchType"},
      {config_maps, R"("patch":"W10=","patchType":null)", "webhook returned response.patch but not response.patchType"},
      {config_maps, R"("patchType":"JSONPatch")", "webhook returned response.patchType but not response.patch"},
      {config_maps, R"("patch":"W10=","patchType":"")", R"(webhook returned invalid response.patchType of "")"},
      {secrets, R"("patch":"W10=")", "validating webhook may not return response.patch"},
      {secrets, R"("patchType":"JSONPatch")", "validating webhook may not return response.patchType"},
  };
  for (const auto& one : cases) {
    SCOPED_TRACE(one.response);
    const auto response = json::parse(std::string(R"({"allowed":true,)") + one.response + "}").value().as_object();
    webhooks_.answers["/m"] = webhooks_.answers["/v"] = [&](const json::Value&) { return response; };
    const auto refused = call("POST", one.collection, R"({"metadata":{"name":"a"}})");
    EXPECT_EQ(refused.status, 500);
    EXPECT_THAT(refused.at("/message"),
                testing::EndsWith(std::string("received invalid webhook response: ") + one.what));
    EXPECT_EQ(call("GET", one.collection + "/a").status, 404);
  }
  const auto unknown = json::parse(R"({"allowed":true,"patch":"W3t9XQ==","patchType":"Merge"})").value().as_object();
  webhooks_.answers["/m"] = [&](const json::Value&) { return unknown; };
  EXPECT_THAT(call("POST", config_maps, R"({"metadata":{"name":"a"}})").at("/message"),
              testing::EndsWith(R"(unsupported patch type "Merge")"));
}

// The messages are those of client-go, which kube-apiserver calls webhooks with.
TEST_F(AdmissionTest, TheMessageStatesWhatAWebhookRespondedInsteadOfAReview) {
  configure(validating, "/v", rule_for("", "v1", "configmaps"));
  const struct {
    int status;
    const char* type;
    const char* body;
    const char* message;
  } cases[] = {
      {400, "text/plain", "x", "the server rejected our request for an unknown reason"},
      {401, "text/plain", "x", "the server has asked for the client to provide credentials"},
      {403, "text/plain", " no entry\n", "no entry"},
      {404, "text/plain", "x", "the server could not find the requested resource"},
      {405, "text/plain", "x", "the server does not allow this method on the requested resource"},
      {409, "text/plain", "x", "the server reported a conflict"},
      {418, "text/plain", "x", "the server responded with the status code 418 but did not return more information"},
      {429, "text/plain", "x", "the server has received too many requests and has asked us to try again later"},
      {500, "text/plain", "broken", R"(an error on the server ("broken") has prevented the request from succeeding)"},
      {502, "application/zip", "PK", R"(an error on the server ("unknown") has prevented the request from succeeding)"},
      {503, "text/plain", "x", "the server is currently unable to handle the request"},
      {500, "application/json", R"({"kind":"Status","message":"out of paint"})", "out of paint"},
      {200, "application/json", "", "0-length response with status code: 200 and content type: application/json"},
      {200, "application/json", "[1]", "couldn't get version/kind; json parse error: the text is not an object"},
      {200, "application/json", R"({"apiVersion":"v1","kind":"Pod"})",
       R"(no kind "Pod" is registered for version "v1" in the scheme of admission.k8s.io/v1)"},
      {200, "application/json", R"({"apiVersion":"admission.k8s.io/v1beta1","kind":"AdmissionReview"})",
       "converting (v1beta1.AdmissionReview) to (v1.AdmissionReview): unknown conversion"},
  };
  for (const auto& one : cases) {
    SCOPED_TRACE(one.message);
    webhooks_.instead = [&] {
      return http::Response{.status = one.status, .headers = {{"Content-Type", one.type}}, .body = one.body};
    };
    const auto refused = call("POST", config_maps, R"({"metadata":{"name":"a"}})");
    EXPECT_EQ(refused.status, 500);
    EXPECT_EQ(refused.at("/message"),
              std::string("Internal error occurred: failed calling webhook \"v.a.dev\": failed to call webhook: ") +
                  one.message);
  }
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
