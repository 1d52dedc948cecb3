// SPDX-License-Identifier: Apache-2.0
// An API server on virtual time, and helpers for tests.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <pintle/apiserver/server.hpp>
#include <pintle/json/pointer.hpp>
#include <pintle/sim/simulated_executor.hpp>

namespace pintle {

struct TestReply {
  int status = 0;
  http::Headers headers{};
  std::string body{};
  json::Value json{};

  // The text or the JSON at a JSON pointer; "" if there is none.
  [[nodiscard]] std::string at(std::string_view pointer) const {
    const json::Value* found = json::find(json, pointer);
    if (found == nullptr) return "";
    return found->is_string() ? std::string(found->get_string()) : json::print(*found);
  }
  // The causes of a refusal: "reason@field reason@field".
  [[nodiscard]] std::string causes() const {
    std::string out;
    const json::Value* causes = json::find(json, "/details/causes");
    if (causes == nullptr) return out;
    for (const json::Value& cause : causes->as_array()) {
      const auto text = [&](const char* name) {
        const json::Value* found = cause.as_object().if_contains(name);
        return found == nullptr ? std::string() : std::string(found->as_string());
      };
      out += (out.empty() ? "" : " ") + text("reason") + "@" + text("field");
    }
    return out;
  }
};

// A watch whose events a test reads on demand.
class TestWatch {
 public:
  TestWatch(Executor& executor, http::Response response)
      : executor_(executor), status(response.status), stream_(std::move(response.stream)) {
    if (stream_ != nullptr) stream_->on_ready([] {});
  }

  // Returns the next events, "ADDED a", …. Waits up to 50 seconds of virtual time for each.
  std::string next(int count = 1) {
    std::string out;
    for (int i = 0; i < count; ++i) {
      const json::Value event = take();
      if (!out.empty()) out += ", ";
      out += event.is_null() ? "(nothing)" : describe(event);
    }
    return out;
  }
  // Returns the next event; null if none arrives.
  json::Value take(Duration patience = std::chrono::seconds(50)) {
    const Instant end = executor_.now() + patience;
    while (events_.empty() && !ended && executor_.now() < end) {
      if (!pull()) executor_.sleep_for(std::chrono::milliseconds(10));
    }
    if (events_.empty()) return nullptr;
    json::Value event = std::move(events_.front());
    events_.pop_front();
    return event;
  }
  // True if no event can be read now.
  bool quiet() {
    while (pull()) {}
    return events_.empty();
  }

 private:
  static std::string describe(const json::Value& event) {
    const json::Value* name = json::find(event, "/object/metadata/name");
    const std::string who = name != nullptr && name->is_string() ? std::string(name->get_string()) : "-";
    return std::string(event.at("type").as_string()) + " " + who;
  }

  // Returns true if data arrived.
  bool pull() {
    if (stream_ == nullptr || ended) return false;
    const std::size_t before = text_.size();
    ended = stream_->read(text_) == http::BodyStream::State::ended;
    const bool came = text_.size() > before;
    for (std::size_t line = text_.find('\n'); line != std::string::npos; line = text_.find('\n')) {
      events_.push_back(json::parse(std::string_view(text_).substr(0, line)).value());
      text_.erase(0, line + 1);
    }
    return came;
  }

  Executor& executor_;
  std::string text_;
  std::deque<json::Value> events_;

 public:
  int status = 0;
  bool ended = false;

 private:
  std::unique_ptr<http::BodyStream> stream_;
};

class ServerTest : public testing::Test {
 protected:
  explicit ServerTest(ApiServerOptions options = {}, std::uint64_t seed = 1)
      : executor_({.seed = seed}), server_(executor_, std::move(options)) {}

  TestReply call(std::string method, std::string target, std::string body = "", std::string type = "application/json",
                 http::Headers headers = {}) {
    http::Request request{.method = std::move(method), .target = std::move(target), .headers = std::move(headers)};
    if (!body.empty()) request.headers.set("Content-Type", std::move(type));
    request.body = std::move(body);
    http::Response response = server_.handle(request);
    if (response.deferred) response = response.deferred();
    http::read_full_body(response);
    TestReply reply{
        .status = response.status, .headers = std::move(response.headers), .body = std::move(response.body)};
    if (auto parsed = json::parse(reply.body)) reply.json = std::move(*parsed);
    return reply;
  }
  TestReply get(std::string target, std::string accept = "") {
    http::Headers headers;
    if (!accept.empty()) headers.set("Accept", std::move(accept));
    return call("GET", std::move(target), "", "", std::move(headers));
  }
  TestReply post(std::string target, std::string body) { return call("POST", std::move(target), std::move(body)); }
  TestReply put(std::string target, std::string body) { return call("PUT", std::move(target), std::move(body)); }
  TestReply merge(std::string target, std::string body) {
    return call("PATCH", std::move(target), std::move(body), "application/merge-patch+json");
  }
  TestReply apply(std::string target, std::string body) {
    return call("PATCH", std::move(target), std::move(body), "application/apply-patch+yaml");
  }
  TestReply remove(std::string target, std::string body = "") {
    return call("DELETE", std::move(target), std::move(body));
  }
  TestWatch watch(const std::string& target) {
    return TestWatch(executor_, server_.handle({.method = "GET", .target = target}));
  }

  // Waits until the background thread has nothing left to do.
  void run_until_idle() {
    for (int i = 0; i < 1000 && !server_.is_idle(); ++i) executor_.sleep_for(std::chrono::milliseconds(10));
    ASSERT_TRUE(server_.is_idle());
  }
  std::string names(std::string_view resource) {
    std::string out;
    for (const Object& object : server_.objects(resource)) out += (out.empty() ? "" : " ") + std::string(object.name());
    return out;
  }

  SimulatedExecutor executor_;
  ApiServer server_;
};

inline const std::string config_maps = "/api/v1/namespaces/default/configmaps";

inline std::string config_map(const std::string& name, const std::string& more = "") {
  return R"({"metadata":{"name":")" + name + "\"" + (more.empty() ? "" : "," + more) + "}}";
}

// A definition of namespaced Widgets in a group. `version` is inserted into its only version.
inline std::string widget_definition(const std::string& group, const std::string& version = "") {
  return R"({"metadata":{"name":"widgets.)" + group + R"("},"spec":{"group":")" + group +
         R"(","scope":"Namespaced","names":{"plural":"widgets","kind":"Widget","shortNames":["wg"]},
            "versions":[{"name":"v1","served":true,"storage":true,)" +
         version + R"("schema":{"openAPIV3Schema":{"type":"object","properties":{
              "spec":{"type":"object","properties":{"replicas":{"type":"integer","minimum":0},
                "image":{"type":"string","default":"nginx"}}},
              "status":{"type":"object","properties":{"phase":{"type":"string"}}}}}}}]}})";
}

inline const std::string definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

}  // namespace pintle
