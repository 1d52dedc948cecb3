// Discovery of the kinds of the server.
#include <pintle/client/client.hpp>

#include <chrono>

#include "client_test_support.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::SizeIs;

const GroupVersionKind greeting{"demo.pintle.dev/v1", "Greeting"};

TEST(ClientDiscovery, RequestsEachGroupVersionOnce) {
  SimulatedExecutor executor;
  Stage stage(executor);

  EXPECT_EQ(stage.client.resource(config_map)->plural, "configmaps");
  EXPECT_TRUE(stage.client.resource({"v1", "Namespace"})->has_subresource("status"));
  EXPECT_FALSE(stage.client.resource({"v1", "Namespace"})->namespaced);

  EXPECT_THAT(stage.server.discoveries(), SizeIs(1));
}

TEST(ClientDiscovery, IsRepeatedIfAKindIsMissing) {
  SimulatedExecutor executor;
  Stage stage(executor);

  const auto missing = stage.client.resource(greeting);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::unsupported);
  EXPECT_THAT(missing.error().to_string(),
              HasSubstr("the server does not have greetings.demo.pintle.dev/v1 (kind Greeting); "
                        "install its CustomResourceDefinition"));
  stage.server.on_discovery([](const http::Request&) {
    return json_response(
        200, R"({"kind":"APIResourceList","resources":[{"name":"greetings","kind":"Greeting","namespaced":true}]})");
  });

  EXPECT_EQ(stage.client.resource(greeting)->to_string(), "greetings.demo.pintle.dev");
  EXPECT_THAT(stage.server.discoveries(), SizeIs(2));
}

TEST(ClientDiscovery, InvalidationCausesANewRequest) {
  SimulatedExecutor executor;
  Stage stage(executor);
  EXPECT_TRUE(stage.client.resource(config_map));

  stage.client.invalidate_discovery(config_map);

  EXPECT_TRUE(stage.client.resource(config_map));
  EXPECT_THAT(stage.server.discoveries(), SizeIs(2));
}

TEST(ClientDiscovery, ReportsAKindThatWasRemoved) {
  SimulatedExecutor executor;
  Stage stage(executor);
  EXPECT_TRUE(stage.client.resource(config_map));
  stage.server.on_discovery(
      [](const http::Request&) { return json_response(200, R"({"kind":"APIResourceList","resources":[]})"); });
  stage.server.then([] { return http::Response{.status = 404, .body = "404 page not found\n"}; });

  const auto object = stage.client.get(config_map, key_a);

  EXPECT_EQ(object.error().code, ErrorCode::unsupported);
  EXPECT_THAT(object.error().to_string(), HasSubstr("get configmap default/a: the server does not have configmaps/v1"));
}

TEST(ClientDiscovery, ReportsAServerThatIsNoApiServer) {
  SimulatedExecutor executor;
  Stage stage(executor);
  stage.server.on_discovery([](const http::Request&) { return http::Response{.body = "<html>welcome</html>"}; });

  EXPECT_THAT(stage.client.resource(config_map).error().message, HasSubstr("check the address of the API server"));
}

// The CRD of a kind can receive the status subresource while programs that use it run.
TEST(Client, FindsAStatusSubResourceThatWasAddedLater) {
  SimulatedExecutor executor;
  Stage stage(executor);
  const auto write = [&] {
    return stage.client.patch(config_map, key_a, json::Value(json::object()), {.subresource = "status"});
  };
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(write().error().code, ErrorCode::unsupported);
    executor.sleep_for(1s);
  }
  EXPECT_LE(stage.server.discoveries().size(), 11U) << "discovery is limited, and not repeated for each write";
  EXPECT_THAT(stage.server.requests(), SizeIs(0));
  stage.server.on_discovery([](const http::Request&) {
    return json_response(200, R"({"kind":"APIResourceList","groupVersion":"v1","resources":[
      {"name":"configmaps","namespaced":true,"kind":"ConfigMap","verbs":["get"]},
      {"name":"configmaps/status","namespaced":true,"kind":"ConfigMap","verbs":["patch"]}]})");
  });
  stage.server.then([] { return config_map_response(); });
  executor.sleep_for(11s);
  EXPECT_TRUE(write());
  EXPECT_EQ(line_of(stage.server.requests().at(0)),
            "PATCH /api/v1/namespaces/default/configmaps/a/status?fieldManager=tester");
}

}  // namespace
}  // namespace pintle
