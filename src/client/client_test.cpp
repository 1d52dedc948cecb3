// SPDX-License-Identifier: Apache-2.0
// Reads and writes of objects.
#include <pintle/client/client.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "client_test_support.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;
using std::chrono::seconds;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

TEST(Client, SendsEachVerbToItsPath) {
  SimulatedExecutor executor;
  Stage stage(executor);
  for (int i = 0; i < 8; ++i) stage.server.then([] { return config_map_response(); });
  const json::Value object{{"apiVersion", "v1"},
                           {"kind", "ConfigMap"},
                           {"metadata", {{"name", "a"}, {"namespace", "default"}}},
                           {"data", {{"k", "v"}}}};

  EXPECT_EQ(stage.client.get(config_map, key_a)->resource_version(), "5");
  EXPECT_TRUE(stage.client.create(object));
  EXPECT_TRUE(stage.client.replace(object, {.dry_run = true}));
  EXPECT_TRUE(stage.client.patch(config_map, key_a, {{"data", {{"k", nullptr}}}}, {.force = true}));
  EXPECT_TRUE(stage.client.patch(config_map, key_a, json::Patch{}.remove("/data/k"), {.field_manager = "me"}));
  EXPECT_TRUE(stage.client.apply(object, {.force = true}));
  EXPECT_TRUE(*stage.client.remove(config_map, key_a));
  EXPECT_TRUE(stage.client.raw({.target = "/version"}));

  const std::string path = "/api/v1/namespaces/default/configmaps";
  std::vector<std::string> lines;
  std::vector<std::string> types;
  for (const auto& received : stage.server.requests()) {
    lines.push_back(line_of(received));
    types.emplace_back(received.request.headers.get("Content-Type").value_or("-"));
  }
  EXPECT_THAT(lines, ElementsAre("GET " + path + "/a", "POST " + path + "?fieldManager=tester",
                                 "PUT " + path + "/a?fieldManager=tester&dryRun=All",
                                 "PATCH " + path + "/a?fieldManager=tester", "PATCH " + path + "/a?fieldManager=me",
                                 "PATCH " + path + "/a?fieldManager=tester&force=true", "DELETE " + path + "/a",
                                 "GET /version"));
  EXPECT_THAT(types,
              ElementsAre("-", "application/json", "application/json", "application/merge-patch+json",
                          "application/json-patch+json", "application/apply-patch+yaml", "application/json", "-"));
  EXPECT_EQ(stage.server.requests()[4].request.body, R"([{"op":"remove","path":"/data/k"}])");
  EXPECT_EQ(stage.server.requests()[0].request.headers.get("Accept"), "application/json");
  EXPECT_EQ(stage.server.requests()[0].request.headers.get("User-Agent"), "pintle");
  EXPECT_EQ(stage.server.requests()[0].request.headers.get("Authorization"), std::nullopt);
}

// Invalid UTF-8 is replaced, as other clients do, because a server refuses a body that is not UTF-8.
TEST(Client, ReplacesInvalidUtf8InBodies) {
  SimulatedExecutor executor;
  Stage stage(executor);
  for (int i = 0; i < 4; ++i) stage.server.then([] { return config_map_response(); });
  const json::Value object{{"apiVersion", "v1"},
                           {"kind", "ConfigMap"},
                           {"metadata", {{"name", "a"}, {"namespace", "default"}}},
                           {"data", {{"k", "caf\xe9"}}}};

  EXPECT_TRUE(stage.client.create(object));
  EXPECT_TRUE(stage.client.replace(object));
  EXPECT_TRUE(stage.client.patch(config_map, key_a, json::Value{{"data", {{"k", "caf\xe9"}}}}));
  EXPECT_TRUE(stage.client.patch(config_map, key_a, json::Patch{}.replace("/data/k", "caf\xe9")));
  ASSERT_EQ(stage.server.requests().size(), 4U);
  for (const auto& received : stage.server.requests()) EXPECT_THAT(received.request.body, HasSubstr("\"caf\uFFFD\""));
}

TEST(Client, WritesTheStatusSubResourceOfAKindThatHasOne) {
  SimulatedExecutor executor;
  Stage stage(executor);
  stage.server.then([] { return config_map_response(); });

  EXPECT_TRUE(
      stage.client.patch({"v1", "Namespace"}, {"", "a"}, json::Value(json::object()), {.subresource = "status"}));
  const auto refused = stage.client.patch(config_map, key_a, json::Value(json::object()), {.subresource = "status"});

  EXPECT_EQ(line_of(stage.server.requests().at(0)), "PATCH /api/v1/namespaces/a/status?fieldManager=tester");
  EXPECT_EQ(refused.error().code, ErrorCode::unsupported);
  EXPECT_EQ(refused.error().reason, no_subresource);
  EXPECT_EQ(refused.error().to_string(), "patch configmap default/a: configmaps has no status subresource");
}

TEST(Client, ListsOnePageAndNamesTheKindOfItsItems) {
  SimulatedExecutor executor;
  Stage stage(executor);
  stage.server.then([] {
    return json_response(200,
                         R"({"kind":"ConfigMapList","apiVersion":"v1","metadata":{"resourceVersion":"9","continue":"c"},
        "items":[{"metadata":{"name":"a"}},{"metadata":{"name":"b"}}]})");
  });

  const auto list = stage.client.list(config_map, {.label_selector = "x=y", .limit = 2});

  ASSERT_TRUE(list) << list.error().to_string();
  EXPECT_EQ(list->resource_version, "9");
  EXPECT_EQ(list->continue_, "c");
  ASSERT_THAT(list->items, SizeIs(2));
  EXPECT_EQ(list->items[1].name(), "b");
  EXPECT_EQ(list->items[1].group_version_kind(), config_map);
  EXPECT_EQ(line_of(stage.server.requests()[0]), "GET /api/v1/configmaps?labelSelector=x%3Dy&limit=2");
}

// Sends 4 bytes every ten seconds, and nothing more after `silent_after` times.
class Drip final : public http::BodyStream {
 public:
  Drip(Executor& executor, std::string text, std::size_t silent_after)
      : executor_(executor), text_(std::move(text)), left_(silent_after), next_(executor.now()) {}
  State read(std::string& out) override {
    if (executor_.now() < next_ || left_ == 0) return State::waiting;
    --left_;
    out.append(text_, at_, 4);
    at_ += std::min<std::size_t>(4, text_.size() - at_);
    next_ = after(executor_.now(), 10s);
    return at_ == text_.size() ? State::ended : State::waiting;
  }
  void on_ready(std::function<void()> /*wake*/) override {}
  [[nodiscard]] Instant next_deadline() const override { return left_ == 0 ? Instant::max() : next_; }

 private:
  Executor& executor_;
  const std::string text_;
  std::size_t at_ = 0;
  std::size_t left_;
  Instant next_;
};

TEST(Client, AListTimesOutBySilenceNotByItsDuration) {
  for (const bool falls_silent : {false, true}) {
    SimulatedExecutor executor;
    Stage stage(executor);
    stage.server.then([&] {
      http::Response response{.headers = {{"Content-Type", "application/json"}}};
      response.stream = std::make_unique<Drip>(
          executor, R"({"metadata":{"resourceVersion":"9"},"items":[{"metadata":{"name":"a"}}]})",
          falls_silent ? 9 : 999);
      return response;
    });
    ASSERT_TRUE(stage.client.resource(config_map));
    const Instant begun = executor.now();

    const auto list = stage.client.list(config_map);

    const Duration took = executor.now() - begun;
    if (falls_silent) {
      EXPECT_EQ(list.error().code, ErrorCode::timeout);
      EXPECT_LE(took, 2min + 1s) << "80 s of body, then 30 s without a byte";
    } else {
      ASSERT_TRUE(list) << list.error().to_string();
      EXPECT_GT(took, 2min);
    }
  }
}

TEST(Client, ListsAllPagesOfAStruct) {
  SimulatedExecutor executor;
  Stage stage(executor);
  stage.server.then(
      [] { return json_response(200, R"({"metadata":{"continue":"c"},"items":[{"metadata":{"name":"a"}}]})"); });
  stage.server.then([] { return json_response(200, R"({"metadata":{},"items":[{"metadata":{"name":"b"}}]})"); });

  const auto list = stage.client.list<TestMap>({.resource_version = "0", .limit = 1});

  ASSERT_TRUE(list) << list.error().to_string();
  ASSERT_THAT(*list, SizeIs(2));
  EXPECT_EQ(list->at(1).metadata.name, "b");
  EXPECT_EQ(line_of(stage.server.requests()[1]), "GET /api/v1/configmaps?limit=1&continue=c");
}

TEST(Client, ErrorsContainTheCallAndTheMessageOfTheServer) {
  SimulatedExecutor executor;
  Stage stage(executor);
  stage.server.then([] { return status_response(404, "NotFound", {}, R"({"name":"a","kind":"configmaps"})"); });

  const auto object = stage.client.get(config_map, key_a);

  ASSERT_FALSE(object);
  EXPECT_EQ(object.error().code, ErrorCode::not_found);
  EXPECT_EQ(object.error().reason, "NotFound");
  EXPECT_THAT(object.error().to_string(), AllOf(HasSubstr("get configmap default/a: "), HasSubstr("it is so")));
}

TEST(Client, RemovingAMissingObjectReturnsFalse) {
  SimulatedExecutor executor;
  Stage stage(executor);
  stage.server.then([] { return status_response(404, "NotFound", {}, R"({"name":"a"})"); });
  stage.server.then([] { return json_response(200, R"({"kind":"Status","status":"Success"})"); });
  stage.server.then([] { return status_response(409, "Conflict"); });

  EXPECT_FALSE(*stage.client.remove(config_map, key_a));
  EXPECT_TRUE(*stage.client.remove(config_map, key_a));
  EXPECT_EQ(stage.client.remove(config_map, key_a, {.uid = "other"}).error().code, ErrorCode::conflict);
}

TEST(Client, NeverSendsAnAmbiguousKey) {
  SimulatedExecutor executor;
  Stage stage(executor);

  for (const ObjectKey& key : {ObjectKey{"default", ""}, ObjectKey{"", "a"}, ObjectKey{"default", ".."}}) {
    EXPECT_EQ(stage.client.remove(config_map, key).error().code, ErrorCode::invalid) << key.to_string();
    EXPECT_EQ(stage.client.get(config_map, key).error().code, ErrorCode::invalid) << key.to_string();
  }

  EXPECT_THAT(stage.server.requests(), IsEmpty());
}

TEST(Client, ReportsAResponseThatIsNoObject) {
  SimulatedExecutor executor;
  Stage stage(executor);
  stage.server.then([] { return http::Response{.body = "<html>hello</html>"}; });
  stage.server.then([] { return json_response(200, "[1]"); });
  stage.server.then([] { return json_response(200, "{}"); });

  EXPECT_THAT(stage.client.get(config_map, key_a).error().to_string(),
              HasSubstr("get configmap default/a: the response cannot be"));
  EXPECT_THAT(stage.client.get(config_map, key_a).error().message, HasSubstr("the response cannot be parsed"));
  EXPECT_THAT(stage.client.list(config_map).error().to_string(),
              HasSubstr("list configmap: the response is not a list"));
}

TEST(ClientUpdate, SendsTheDifferenceAndTestsTheVersion) {
  SimulatedExecutor executor;
  Stage stage(executor);
  for (int i = 0; i < 2; ++i) stage.server.then([] { return config_map_response(); });
  const auto before = stage.client.get<TestMap>(key_a);
  ASSERT_TRUE(before) << before.error().to_string();
  TestMap after = *before;
  after.data["k"] = "w";

  EXPECT_TRUE(stage.client.update(*before, after));

  const http::Request sent = stage.server.requests()[1].request;
  EXPECT_EQ(sent.headers.get("Content-Type"), "application/json-patch+json");
  EXPECT_EQ(*json::parse(sent.body), *json::parse(R"([{"op":"test","path":"/metadata/resourceVersion","value":"5"},
      {"op":"replace","path":"/data/k","value":"w"}])"));
}

TEST(ClientUpdate, OnlyReadsWhenNothingDiffers) {
  SimulatedExecutor executor;
  Stage stage(executor);
  stage.server.then([] { return config_map_response(); });
  stage.server.then([] { return config_map_response("a", "6"); });
  const auto before = stage.client.get<TestMap>(key_a);

  const auto after = stage.client.update(*before, *before);

  ASSERT_TRUE(after) << after.error().to_string();
  EXPECT_EQ(after->metadata.resource_version, "6");
  EXPECT_EQ(line_of(stage.server.requests()[1]), "GET /api/v1/namespaces/default/configmaps/a");
}

TEST(ClientUpdate, AFailedTestIsAConflictAndABrokenRuleIsInvalid) {
  SimulatedExecutor executor;
  Stage stage(executor);
  const auto refusal = [](const std::string& message) {
    return [message] {
      return json_response(422, R"({"kind":"Status","status":"Failure","reason":"Invalid","message":")" + message +
                                    R"(","details":{},"code":422})");
    };
  };
  const std::string denial = "admission webhook \\\"a.example.com\\\" denied the request: no";
  stage.server.then([] { return config_map_response(); });
  stage.server.then(refusal("the server rejected our request due to an error in our request"));
  stage.server.then([] { return status_response(422, "Invalid", {}, R"({"causes":[{"field":"data"}]})"); });
  stage.server.then(refusal(denial));
  const auto before = stage.client.get<TestMap>(key_a);
  TestMap after = *before;
  after.data.clear();

  const auto stale = stage.client.update(*before, after);
  EXPECT_EQ(stale.error().code, ErrorCode::conflict);
  EXPECT_THAT(stale.error().to_string(),
              HasSubstr("update configmap default/a: the object has changed since it was read"));
  EXPECT_EQ(stage.client.update(*before, after).error().code, ErrorCode::invalid);
  const auto denied = stage.client.update(*before, after);
  EXPECT_EQ(denied.error().code, ErrorCode::invalid) << "a retry would be denied again";
  EXPECT_EQ(denied.error().message, R"(admission webhook "a.example.com" denied the request: no)");
}

TEST(ClientApply, OfAStructSendsNoIdentity) {
  SimulatedExecutor executor;
  Stage stage(executor);
  for (int i = 0; i < 2; ++i) stage.server.then([] { return config_map_response(); });
  const auto before = stage.client.get<TestMap>(key_a);

  EXPECT_TRUE(stage.client.apply(*before));

  EXPECT_THAT(stage.server.requests()[1].request.body, AllOf(Not(HasSubstr("uid")), Not(HasSubstr("resourceVersion"))));
}

TEST(ClientForTheCache, MakesSignedRequests) {
  SimulatedExecutor executor;
  Stage stage(executor, {.token = "t"});
  const auto resource = stage.client.resource(config_map);

  const http::Request list = stage.client.list_request(*resource, {.namespace_ = "default", .limit = 500});
  const http::Request watch = stage.client.watch_request(*resource, {.resource_version = "5", .timeout = seconds(300)});

  EXPECT_EQ(list.target, "/api/v1/namespaces/default/configmaps?limit=500");
  EXPECT_EQ(list.headers.get("Authorization"), "Bearer t");
  EXPECT_EQ(watch.target,
            "/api/v1/configmaps?watch=true&allowWatchBookmarks=true&resourceVersion=5&timeoutSeconds=300");
  EXPECT_EQ(watch.timeout, seconds(330));
}

TEST(ClientForTheCache, RequestsMetadataOnly) {
  SimulatedExecutor executor;
  Stage stage(executor);
  const auto resource = stage.client.resource(config_map);

  const http::Request list = stage.client.list_request(*resource, {.metadata_only = true});
  const http::Request watch = stage.client.watch_request(*resource, {.metadata_only = true});

  EXPECT_EQ(list.headers.get("Accept"),
            "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json");
  EXPECT_EQ(watch.headers.get("Accept"),
            "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json");
}

}  // namespace
}  // namespace pintle
