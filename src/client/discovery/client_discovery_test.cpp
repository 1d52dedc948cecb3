// SPDX-License-Identifier: Apache-2.0
// Discovery of the kinds of the server.
#include <pintle/client/client.hpp>

#include <chrono>
#include <map>
#include <string>

#include <pintle/client/api_catalog.hpp>
#include <pintle/testing/simulation.hpp>

#include "client/client_test_support.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
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

// A program that waits for a CRD calls again and again. The first calls may each send a request, and a CRD that appears
// later is found within ten seconds.
TEST(ClientDiscovery, LimitsTheRequestsForAKindThatDoesNotExist) {
  SimulatedExecutor executor;
  Stage stage(executor);
  for (int i = 0; i < 1'000; ++i) {
    EXPECT_EQ(stage.client.resource(greeting).error().code, ErrorCode::unsupported);
    executor.sleep_for(100ms);
  }
  EXPECT_LE(stage.server.discoveries().size(), 17U);
  stage.server.on_discovery([](const http::Request&) {
    return json_response(
        200, R"({"kind":"APIResourceList","resources":[{"name":"greetings","kind":"Greeting","namespaced":true}]})");
  });
  executor.sleep_for(10s);
  EXPECT_TRUE(stage.client.resource(greeting));
}

TEST(ClientDiscovery, AnInvalidationEndsTheLimit) {
  SimulatedExecutor executor;
  Stage stage(executor);
  for (int i = 0; i < 100; ++i) EXPECT_FALSE(stage.client.resource(greeting));
  const std::size_t before = stage.server.discoveries().size();

  stage.client.invalidate_discovery(greeting);

  EXPECT_FALSE(stage.client.resource(greeting));
  EXPECT_THAT(stage.server.discoveries(), SizeIs(before + 1));
}

// The discovery documents of a server, by path. A path without a document is not found.
class DocumentsTest : public ::testing::Test {
 protected:
  DocumentsTest() {
    stage.server.on_discovery([this](const http::Request& request) {
      const auto found = documents.find(request.target);
      if (found == documents.end()) return status_response(503, "ServiceUnavailable");
      return json_response(200, found->second);
    });
  }

  SimulatedExecutor executor;
  Stage stage{executor};
  std::map<std::string, std::string> documents;
};

TEST_F(DocumentsTest, AreReadForEachVersionIfTheServerHasNoAggregatedDiscovery) {
  documents = {{"/api", R"({"kind":"APIVersions","versions":["v1"]})"},
               {"/api/v1", R"({"kind":"APIResourceList","resources":[{"name":"pods","singularName":"pod","kind":"Pod",
        "namespaced":true,"shortNames":["po"],"categories":["all"]},{"name":"pods/log","kind":"Pod"}]})"},
               {"/apis", R"({"kind":"APIGroupList","groups":[
        {"name":"demo.dev","versions":[{"version":"v1beta1"},{"version":"v1"}],"preferredVersion":{"version":"v1"}},
        {"name":"metrics.k8s.io","versions":[{"version":"v1beta1"}],"preferredVersion":{"version":"v1beta1"}}]})"},
               {"/apis/demo.dev/v1beta1", R"({"kind":"APIResourceList","resources":[{"name":"toys","kind":"Toy"}]})"},
               {"/apis/demo.dev/v1", R"({"kind":"APIResourceList","resources":[{"name":"toys","kind":"Toy"}]})"}};

  const auto catalog = stage.client.catalog();

  ASSERT_TRUE(catalog) << catalog.error().to_string();
  EXPECT_EQ((*catalog)->preferred_version("demo.dev"), "v1");
  EXPECT_EQ((*catalog)->preferred_version(""), "v1");
  EXPECT_EQ((*catalog)->preferred_version("none"), "");
  ASSERT_THAT((*catalog)->unavailable, SizeIs(1));
  EXPECT_EQ((*catalog)->unavailable[0].api_version, "metrics.k8s.io/v1beta1");
  const auto pods = stage.client.find_resource("po");
  ASSERT_TRUE(pods) << pods.error().to_string();
  EXPECT_TRUE(pods->has_subresource("log"));
  EXPECT_EQ(pods->categories, std::vector<std::string>{"all"});
  EXPECT_EQ(stage.client.find_resource("toys")->kind.version, "v1");
  EXPECT_EQ(stage.client.find_resource("toy.v1beta1.demo.dev")->kind.version, "v1beta1");
  EXPECT_THAT(stage.server.discoveries(), SizeIs(6)) << "the catalog is cached";
}

// A group whose server is down must not hide the others, and a name that may be in it is not "unknown".
TEST_F(DocumentsTest, OfAGroupThatIsDownDoNotBreakTheOthers) {
  documents = {{"/api", R"({"kind":"APIGroupDiscoveryList","items":[{"metadata":{},"versions":[{"version":"v1",
                  "resources":[{"resource":"pods","scope":"Namespaced","responseKind":{"kind":"Pod"}}]}]}]})"},
               {"/apis", R"({"kind":"APIGroupDiscoveryList","items":[{"metadata":{"name":"metrics.k8s.io"},"versions":
                  [{"version":"v1beta1","freshness":"Stale","resources":[]}]}]})"}};

  EXPECT_EQ(stage.client.find_resource("pods")->kind, GroupVersionKind("v1", "Pod"));
  const auto hidden = stage.client.find_resource("nodemetrics");
  EXPECT_EQ(hidden.error().code, ErrorCode::unavailable);
  EXPECT_THAT(hidden.error().to_string(),
              HasSubstr("not available: metrics.k8s.io/v1beta1 (the API server cannot reach it)"));
  EXPECT_EQ(stage.client.find_resource("pods.core").error().code, ErrorCode::unsupported);
}

TEST_F(DocumentsTest, AreRequestedAgainForAnUnknownNameWithALimit) {
  documents = {{"/api", R"({"kind":"APIGroupDiscoveryList","items":[]})"},
               {"/apis", R"({"kind":"APIGroupDiscoveryList","items":[]})"}};
  for (int i = 0; i < 1'000; ++i) EXPECT_FALSE(stage.client.find_resource("toys"));
  EXPECT_THAT(stage.server.discoveries(), SizeIs(2 * 6));
  documents["/apis"] = R"({"kind":"APIGroupDiscoveryList","items":[{"metadata":{"name":"demo.dev"},"versions":
    [{"version":"v1","resources":[{"resource":"toys","scope":"Cluster","responseKind":{"kind":"Toy"}}]}]}]})";
  executor.sleep_for(10s);
  EXPECT_TRUE(stage.client.find_resource("toys"));
}

TEST_F(DocumentsTest, ThatAreNoneAreReported) {
  documents = {{"/api", "<html>"}};
  EXPECT_THAT(stage.client.catalog().error().to_string(),
              HasSubstr("discover all resources: the response to GET /api is not a list of APIs; check the address"));
}

class CatalogTest : public ::testing::Test {
 protected:
  std::string kind_of(const std::string& name) {
    const auto found = client.find_resource(name);
    return found ? found->kind.to_string() : found.error().message;
  }

  testkit::Simulation simulation{{.seed = 1}};
  Client& client = simulation.user();
};

TEST_F(CatalogTest, FindsResourcesByTheNamesOfKubectl) {
  for (const char* name : {"deployments", "deployment", "deploy", "Deployment", "deploy.apps", "deployments.v1.apps"}) {
    EXPECT_EQ(kind_of(name), "apps/v1 Deployment") << name;
  }
  EXPECT_EQ(kind_of("pods.v1."), "v1 Pod");
  EXPECT_EQ(kind_of("events"), "v1 Event") << "the core group takes precedence";
  EXPECT_EQ(kind_of("events.events.k8s.io"), "events.k8s.io/v1 Event");
  EXPECT_EQ(kind_of("deployments.v2.apps"),
            "the server has no resource \"deployments.v2.apps\"; did you mean deployments?");
  EXPECT_EQ(kind_of("deploymants"), "the server has no resource \"deploymants\"; did you mean deployments?");
}

// The catalog of one document has the same content as the documents of all versions.
TEST_F(CatalogTest, AgreesWithTheDocumentOfEachVersion) {
  const auto catalog = client.catalog();
  ASSERT_TRUE(catalog) << catalog.error().to_string();
  EXPECT_GT((*catalog)->resources.size(), 50U);
  EXPECT_THAT((*catalog)->unavailable, IsEmpty());
  for (const Resource& listed : (*catalog)->resources) {
    const auto found = client.resource(listed.kind);
    ASSERT_TRUE(found) << found.error().to_string();
    if (found->plural != listed.plural) continue;  // two resources have this kind
    EXPECT_EQ(found->namespaced, listed.namespaced) << listed.to_string();
    EXPECT_EQ(found->singular, listed.singular) << listed.to_string();
    EXPECT_EQ(found->short_names, listed.short_names) << listed.to_string();
    EXPECT_EQ(found->subresources, listed.subresources) << listed.to_string();
    EXPECT_EQ(found->verbs, listed.verbs) << listed.to_string();
  }
}

struct Toy {
  static constexpr Type type{"demo.pintle.dev/v1", "Toy"};
  struct Spec {
    std::string color{};
    static constexpr auto fields() { return pintle::fields(field("color", &Spec::color)); }
  };
  Metadata metadata{};
  Spec spec{};
};

// The client that wrote the CRD needs no invalidation.
TEST_F(CatalogTest, ForgetsEverythingWhenACrdChanges) {
  EXPECT_THAT(kind_of("toys"), HasSubstr("the server has no resource"));
  for (int i = 0; i < 10; ++i) EXPECT_FALSE(client.resource(Toy::type)) << "no further requests are allowed";
  const auto written = client.create(crd_of<Toy>());
  ASSERT_TRUE(written) << written.error().to_string();
  EXPECT_TRUE(simulation.wait_until([&] { return client.resource(Toy::type).has_value(); }, 2s));
  EXPECT_EQ(kind_of("toys"), "demo.pintle.dev/v1 Toy");

  EXPECT_TRUE(*client.remove({"apiextensions.k8s.io/v1", "CustomResourceDefinition"}, {"", "toys.demo.pintle.dev"}));
  EXPECT_TRUE(simulation.run_until_idle(5s));
  EXPECT_THAT(kind_of("toys"), HasSubstr("the server has no resource"));
}

}  // namespace
}  // namespace pintle
