// SPDX-License-Identifier: Apache-2.0
#include <pintle/client/interceptors.hpp>

#include <string>
#include <vector>

#include "client/client_test_support.hpp"

namespace pintle {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

const json::Value map_a{
    {"apiVersion", "v1"}, {"kind", "ConfigMap"}, {"metadata", {{"name", "a"}, {"namespace", "default"}}}};

class InterceptorsTest : public ::testing::Test {
 protected:
  InterceptorsTest() {
    for (int i = 0; i < 8; ++i) stage.server.then([] { return config_map_response(); });
  }
  std::vector<std::string> lines() {
    std::vector<std::string> all;
    for (const auto& received : stage.server.requests()) all.push_back(line_of(received));
    return all;
  }

  SimulatedExecutor executor;
  Stage stage{executor};
};

TEST_F(InterceptorsTest, EveryWriteBecomesADryRun) {
  const auto client = stage.client.intercepted(dry_run_writes());

  EXPECT_TRUE(client->get(config_map, key_a));
  EXPECT_TRUE(client->replace(map_a));
  EXPECT_TRUE(client->replace(map_a, {.dry_run = true}));
  EXPECT_TRUE(client->remove(config_map, key_a));
  const auto raw = client->raw({.method = "POST", .target = "/metrics/reset"});

  const std::string path = "/api/v1/namespaces/default/configmaps/a";
  EXPECT_THAT(lines(),
              ElementsAre("GET " + path, "PUT " + path + "?dryRun=All&fieldManager=tester",
                          "PUT " + path + "?dryRun=All&fieldManager=tester", "DELETE " + path + "?dryRun=All"));
  EXPECT_EQ(raw.error().code, ErrorCode::unsupported);
  EXPECT_THAT(raw.error().to_string(), HasSubstr("POST /metrics/reset: only writes of resources have a dry run"));
}

// API servers ignore the query of a DELETE that has a body.
TEST_F(InterceptorsTest, ADryRunOfADeletionIsInItsBody) {
  const auto client = stage.client.intercepted(dry_run_writes());

  EXPECT_TRUE(client->remove(config_map, key_a, {.uid = "u"}));
  EXPECT_TRUE(client->remove_all(config_map, {.namespace_ = "default"}));
  EXPECT_TRUE(client->raw({.method = "DELETE", .target = "/api/v1/namespaces/default/configmaps/a"}));

  const auto requests = stage.server.requests();
  ASSERT_THAT(requests, SizeIs(3));
  for (std::size_t i = 0; i < 2; ++i) {
    const auto body = json::parse(requests[i].request.body);
    ASSERT_TRUE(body);
    EXPECT_EQ(body->at("dryRun"), json::Value(json::array{"All"})) << requests[i].request.body;
    EXPECT_EQ(body->at("propagationPolicy"), "Background");
  }
  EXPECT_THAT(requests[0].request.body, HasSubstr(R"("preconditions":{"uid":"u"})"));
  EXPECT_EQ(requests[2].request.body, "");
}

TEST_F(InterceptorsTest, AWriteWithoutADryRunIsRefused) {
  const auto client = stage.client.intercepted(dry_run_writes());
  const std::string pod = "/api/v1/namespaces/default/pods/p";

  for (const http::Request& request :
       {http::Request{.method = "POST", .target = pod + "/exec?command=reboot"},
        http::Request{.method = "POST", .target = pod + "/attach"},
        http::Request{.method = "POST", .target = pod + "/portforward"},
        http::Request{.method = "PUT", .target = "/api/v1/namespaces/default/services/s/proxy/orders/1"},
        http::Request{.method = "DELETE", .target = "/api/v1/nodes/n/proxy/logs"},
        http::Request{.method = "DELETE", .target = pod, .body = "kind: DeleteOptions"},
        http::Request{.method = "DELETE", .target = pod, .body = "[]"}}) {
    const auto refused = client->raw(request);
    ASSERT_FALSE(refused) << request.target;
    EXPECT_EQ(refused.error().code, ErrorCode::unsupported) << request.target;
  }
  EXPECT_THAT(stage.server.requests(), IsEmpty());
}

TEST_F(InterceptorsTest, TheFieldManagerIsFixed) {
  const auto client = stage.client.intercepted(fixed_field_manager("me & you"));

  EXPECT_TRUE(client->apply(map_a, {.field_manager = "other", .force = true}));
  EXPECT_TRUE(client->remove(config_map, key_a));

  const std::string path = "/api/v1/namespaces/default/configmaps/a";
  EXPECT_THAT(lines(), ElementsAre("PATCH " + path + "?fieldManager=me%20%26%20you&force=true", "DELETE " + path));
}

TEST_F(InterceptorsTest, ANamespaceIsNotLeft) {
  const auto client = stage.client.intercepted(bound_to_namespace("default"));

  EXPECT_TRUE(client->get(config_map, key_a));
  for (const auto& refused :
       {client->get(config_map, {"other", "a"}), client->get({"v1", "Namespace"}, {"", "default"}),
        client->patch(config_map, {"default2", "a"}, json::Value(json::object()))}) {
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::forbidden);
    EXPECT_EQ(refused.error().reason, "OutsideNamespace");
    EXPECT_THAT(refused.error().to_string(), HasSubstr("this client is bound to namespace default"));
  }
  EXPECT_EQ(client->list(config_map).error().code, ErrorCode::forbidden) << "a list over all namespaces";
  EXPECT_TRUE(client->raw({.target = "/version"}));
  EXPECT_THAT(stage.server.requests(), SizeIs(2));
}

// The last one that was added receives the request first.
TEST_F(InterceptorsTest, AreCombined) {
  std::vector<std::string> seen;
  const auto client = stage.client.intercepted(dry_run_writes())->intercepted([&](http::Request& request) {
    seen.push_back(request.target);
    return Result<void>();
  });

  EXPECT_TRUE(client->remove(config_map, key_a));

  EXPECT_EQ(seen.back(), "/api/v1/namespaces/default/configmaps/a");
  EXPECT_EQ(lines().back(), "DELETE /api/v1/namespaces/default/configmaps/a?dryRun=All");
}

}  // namespace
}  // namespace pintle
