// SPDX-License-Identifier: Apache-2.0
// A cluster that responds to reviews as a test defines.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <pintle/client/client.hpp>
#include <pintle/json/pointer.hpp>
#include <pintle/sim/in_process_transport.hpp>

namespace pintle {

// Contains users by token, and the paths that they may read. Used by one thread at a time.
class ReviewingCluster final : public http::Handler {
 public:
  http::Response handle(const http::Request& request) override {
    if (request.method == "GET") return discovery(request.target.substr(std::string_view("/apis/").size()));
    reviews.push_back(json::parse(request.body).value());
    if (is_down) return {.status = 503, .body = "down"};
    json::Value response = reviews.back();
    response.as_object()["status"] = response.at("kind") == "TokenReview" ? who(response) : may(response);
    return {.status = 201, .headers = {{"Content-Type", "application/json"}}, .body = json::print(response)};
  }

  std::map<std::string, std::string> users;               // by token
  std::set<std::pair<std::string, std::string>> allowed;  // user and "verb path"
  json::array audiences;                                  // of each token
  bool is_down = false;
  std::vector<json::Value> reviews;

 private:
  static std::string text_at(const json::Value& value, std::string_view pointer) {
    return std::string(json::find(value, pointer)->as_string());
  }
  [[nodiscard]] json::Value who(const json::Value& review) const {
    const auto user = users.find(text_at(review, "/spec/token"));
    if (user == users.end()) return json::object{{"user", json::object()}, {"error", "unknown"}};
    return json::object{{"authenticated", true},
                        {"audiences", audiences},
                        {"user", json::object{{"username", user->second},
                                              {"uid", "u1"},
                                              {"groups", json::array{"system:authenticated"}},
                                              {"extra", json::object{{"pod", json::array{"p"}}}}}}};
  }
  [[nodiscard]] json::Value may(const json::Value& review) const {
    const std::string what =
        text_at(review, "/spec/nonResourceAttributes/verb") + " " + text_at(review, "/spec/nonResourceAttributes/path");
    return json::object{{"allowed", allowed.contains({text_at(review, "/spec/user"), what})}};
  }
  static http::Response discovery(const std::string& group_version) {
    const auto resource = [](const char* name, const char* kind) {
      return json::object{{"name", name}, {"kind", kind}, {"namespaced", false}, {"verbs", json::array{"create"}}};
    };
    const json::Value list =
        json::object{{"kind", "APIResourceList"},
                     {"groupVersion", group_version},
                     {"resources", json::array{resource("tokenreviews", "TokenReview"),
                                               resource("subjectaccessreviews", "SubjectAccessReview")}}};
    return {.headers = {{"Content-Type", "application/json"}}, .body = json::print(list)};
  }
};

inline std::unique_ptr<Client> client_of(const std::shared_ptr<http::Transport>& transport, Log log = {}) {
  return std::make_unique<Client>(ClientOptions{
      .transport = transport, .cluster = {.endpoint = std::make_shared<http::Endpoint>()}, .log = std::move(log)});
}

}  // namespace pintle
