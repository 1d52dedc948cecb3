// SPDX-License-Identifier: Apache-2.0
// Deletes, conflicts, subresources and logs, against a scripted server.
#include <pintle/client/client.hpp>

#include <chrono>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "client_test_support.hpp"
#include "line_splitter.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// A second DELETE could delete a new object of the same name. With a uid it cannot.
TEST(ClientDelete, IsRepeatedOnlyWithAUid) {
  SimulatedExecutor executor;
  Stage stage(executor);
  const auto unavailable = [] { return status_response(503, "ServiceUnavailable", {{"Retry-After", "1"}}); };
  stage.server.then(unavailable);
  EXPECT_EQ(stage.client.remove(config_map, key_a).error().code, ErrorCode::unavailable);
  stage.server.then(unavailable);
  EXPECT_EQ(stage.client.remove_all(config_map, {.namespace_ = "default"}).error().code, ErrorCode::unavailable);
  EXPECT_THAT(stage.server.requests(), SizeIs(2));

  stage.server.then(unavailable);
  stage.server.then([] { return config_map_response(); });
  EXPECT_TRUE(*stage.client.remove(config_map, key_a, {.uid = "u"}));
  EXPECT_THAT(stage.server.requests(), SizeIs(4));
}

// A DELETE responds with the object or with a Status, both with code 200 (trap 49).
TEST(ClientDelete, SucceedsWithAnObjectAndWithAStatus) {
  SimulatedExecutor executor;
  Stage stage(executor);
  stage.server.then([] { return config_map_response(); });
  stage.server.then([] { return json_response(200, R"({"kind":"Status","apiVersion":"v1","status":"Success"})"); });

  EXPECT_TRUE(*stage.client.remove(config_map, key_a));
  EXPECT_TRUE(*stage.client.remove(config_map, key_a));
}

TEST(ClientWrite, RequestsFieldValidationAndItsOwnTimeout) {
  SimulatedExecutor executor;
  Stage stage(executor);
  stage.server.then([] { return config_map_response(); });

  EXPECT_TRUE(stage.client.patch(config_map, key_a, json::Value(json::object()),
                                 {.field_validation = FieldValidation::strict, .timeout = 3s}));

  EXPECT_EQ(stage.server.requests().at(0).request.target,
            "/api/v1/namespaces/default/configmaps/a?fieldManager=tester&fieldValidation=Strict");
  EXPECT_EQ(stage.server.requests().at(0).request.timeout, 3s);
}

// The three conflicts have different remedies (trap 51).
TEST(ClientWrite, DistinguishesTheThreeConflicts) {
  SimulatedExecutor executor;
  Stage stage(executor);
  const json::Value object{
      {"apiVersion", "v1"}, {"kind", "ConfigMap"}, {"metadata", {{"name", "a"}, {"namespace", "default"}}}};
  stage.server.then([] { return status_response(409, "AlreadyExists"); });
  stage.server.then([] { return status_response(409, "Conflict"); });
  stage.server.then([] {
    return status_response(409, "Conflict", {},
                           R"({"causes":[{"reason":"FieldManagerConflict","field":".data.k","message":"m"}]})");
  });

  EXPECT_EQ(stage.client.create(object).error().code, ErrorCode::already_exists);
  const auto stale = stage.client.replace(object);
  EXPECT_EQ(stale.error().code, ErrorCode::conflict);
  EXPECT_THAT(stale.error().causes, IsEmpty());
  const auto owned = stage.client.apply(object);
  EXPECT_EQ(owned.error().code, ErrorCode::conflict);
  EXPECT_THAT(owned.error().causes,
              ElementsAre(StatusCause{.reason = "FieldManagerConflict", .message = "m", .field = ".data.k"}));
}

// A server that stops serving the status of a custom resource responds as if the object did not exist.
TEST(ClientStatus, ReportsASubresourceThatIsNoLongerServed) {
  SimulatedExecutor executor;
  Stage stage(executor);
  const GroupVersionKind space{"v1", "Namespace"};
  const auto not_found = [] { return status_response(404, "NotFound", {}, R"({"name":"a"})"); };
  const auto write = [&] {
    return stage.client.patch(space, {"", "a"}, json::Value(json::object()), {.subresource = "status"});
  };
  stage.server.then(not_found);
  stage.server.then(not_found);  // the object is gone, too
  EXPECT_EQ(write().error().code, ErrorCode::not_found);

  const auto found = [] { return json_response(200, R"({"kind":"Namespace","apiVersion":"v1"})"); };
  stage.server.then(not_found);
  stage.server.then(found);  // the status is still served: the object was created again meanwhile
  EXPECT_EQ(write().error().code, ErrorCode::not_found);

  stage.server.on_discovery([](const http::Request&) {
    return json_response(200, R"({"kind":"APIResourceList","resources":[{"name":"namespaces","kind":"Namespace"}]})");
  });
  stage.server.then(not_found);
  stage.server.then(found);
  const auto lost = write();
  EXPECT_EQ(lost.error().code, ErrorCode::unsupported);
  EXPECT_EQ(lost.error().reason, no_subresource);
  EXPECT_EQ(lost.error().to_string(), "patch namespace a: namespaces no longer has a status subresource");
}

http::Response pods_with_log() {
  return json_response(200, R"({"kind":"APIResourceList","groupVersion":"v1","resources":[
      {"name":"pods","namespaced":true,"kind":"Pod"},{"name":"pods/log","namespaced":true,"kind":"Pod"}]})");
}

TEST(ClientPodLog, PassesEachLineWhileTheLogArrives) {
  SimulatedExecutor executor;
  Stage stage(executor);
  stage.server.on_discovery([](const http::Request&) { return pods_with_log(); });
  stage.server.then([] { return http::Response{.body = "one\n\ntwo\nthree"}; });
  std::vector<std::string> lines;

  const auto end = stage.client.read_log(key_a,
                                         {.container = "c",
                                          .follow = true,
                                          .previous = true,
                                          .timestamps = true,
                                          .since = 60s,
                                          .tail_lines = 0,
                                          .max_bytes = 9},
                                         [&](std::string_view line) {
                                           lines.emplace_back(line);
                                           return true;
                                         });

  ASSERT_TRUE(end) << end.error().to_string();
  EXPECT_THAT(lines, ElementsAre("one", "", "two", "three"));
  const http::Request sent = stage.server.requests().at(0).request;
  EXPECT_EQ(sent.target,
            "/api/v1/namespaces/default/pods/a/log?container=c&follow=true&previous=true&timestamps=true"
            "&sinceSeconds=60&tailLines=0&limitBytes=9");
  EXPECT_EQ(sent.timeout, Duration::zero()) << "a log that is followed may be silent for any time";
  EXPECT_EQ(sent.idle_timeout, Duration::zero());
}

TEST(ClientPodLog, ReportsAnErrorOfTheServerAndEndsOnRequest) {
  SimulatedExecutor executor;
  Stage stage(executor);
  stage.server.on_discovery([](const http::Request&) { return pods_with_log(); });
  stage.server.then([] { return status_response(400, "BadRequest"); });
  stage.server.then([] { return http::Response{.body = "one\ntwo\n"}; });
  int lines = 0;
  const auto first_only = [&](std::string_view) { return ++lines != 1; };

  EXPECT_EQ(stage.client.read_log(key_a, {}, first_only).error().to_string(),
            "read log of pod default/a: it is so (400 BadRequest)");
  EXPECT_TRUE(stage.client.read_log(key_a, {}, first_only));
  EXPECT_EQ(lines, 1);
}

TEST(LineSplitter, BoundsTheMemoryOfALineThatDoesNotEnd) {
  std::vector<std::string> lines;
  const std::function<bool(std::string_view)> keep = [&](std::string_view line) {
    lines.emplace_back(line);
    return true;
  };
  LineSplitter splitter(keep);
  for (int i = 0; i < 100'000; ++i) EXPECT_TRUE(splitter.add("x"));
  EXPECT_TRUE(splitter.add("\n"));
  splitter.finish();

  ASSERT_THAT(lines, SizeIs(2));
  EXPECT_EQ(lines[0].size(), 65'536U);
  EXPECT_EQ(lines[1].size(), 100'000U - 65'536U);
}

TEST(ClientEviction, IsNotRepeatedIfABudgetDelaysIt) {
  SimulatedExecutor executor;
  Stage stage(executor);
  stage.server.on_discovery([](const http::Request&) {
    return json_response(200, R"({"kind":"APIResourceList","groupVersion":"v1","resources":[
      {"name":"pods","namespaced":true,"kind":"Pod"},{"name":"pods/eviction","namespaced":true,"kind":"Eviction"}]})");
  });
  stage.server.then([] {
    return status_response(429, "TooManyRequests", {{"Retry-After", "10"}},
                           R"({"causes":[{"reason":"DisruptionBudget"}]})");
  });

  EXPECT_EQ(stage.client.evict(key_a).error().retry_after, 10s);
  EXPECT_THAT(stage.server.requests(), SizeIs(1));
}

}  // namespace
}  // namespace pintle
