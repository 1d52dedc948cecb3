// SPDX-License-Identifier: Apache-2.0
// Test support for admission: a server with a webhook server, whose responses a test sets.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <pintle/object/bytes.hpp>

#include "apiserver/test_server.hpp"
#include "apiserver/test_webhooks.hpp"

namespace pintle {

class AdmissionTest : public testing::Test {
 protected:
  // A webhook server whose responses a test sets by path.
  class Webhooks final : public http::Handler {
   public:
    using Answer = std::function<json::object(const json::Value& request)>;

    http::Response handle(const http::Request& request) override {
      const json::Value review = json::parse(request.body).value();
      const std::string path = request.target.substr(0, request.target.find('?'));
      asked.push_back(path + " " + std::string(review.at("request").at("operation").as_string()));
      timeouts.push_back(request.target.substr(std::min(request.target.find('?') + 1, request.target.size())));
      if (instead) return instead();
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
    std::vector<std::string> timeouts;  // the query of each call
    bool keeps_uid = true;
    std::function<http::Response()> instead;  // returns the response that is sent instead of a review
    json::Value last;
  };

  static json::object patch(const json::array& operations) {
    return {{"allowed", true}, {"patchType", "JSONPatch"}, {"patch", Bytes(json::print(operations)).to_base64()}};
  }

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

}  // namespace pintle
