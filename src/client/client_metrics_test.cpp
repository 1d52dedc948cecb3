// SPDX-License-Identifier: Apache-2.0
// The metrics and the log lines of the client.
#include <pintle/client/client.hpp>

#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include "client_test_support.hpp"

namespace pintle {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

// The server repeats a warning with each response (trap 50).
TEST(ClientLog, HasEachWarningOfTheServerOnce) {
  SimulatedExecutor executor;
  Stage stage(executor, {.warnings = {"careful"}});
  for (int i = 0; i < 2; ++i) {
    stage.server.then([] {
      auto response = config_map_response();
      response.headers.add("Warning", "299 - \"unknown field \\\"spec.x\\\"\"");
      return response;
    });
    EXPECT_TRUE(stage.client.get(config_map, key_a));
  }

  EXPECT_THAT(stage.sink->lines(), ElementsAre("careful", "API server warning warning=unknown field \"spec.x\""));
}

TEST(ClientMetrics, CountRequestsByCodeMethodAndHost) {
  SimulatedExecutor executor;
  auto endpoint = std::make_shared<http::Endpoint>();
  endpoint->host = "10.0.0.1";
  endpoint->port = 6443;
  Stage stage(executor, {.endpoint = endpoint});
  stage.server.then([] { return too_many("1"); });
  stage.server.then([] { return config_map_response(); });

  EXPECT_TRUE(stage.client.get(config_map, key_a));
  stage.client.record_exchange({.target = "/api/v1/configmaps"}, {.status = 0}, seconds(1));
  stage.client.record_exchange({.method = "POST", .target = "/api/v1/configmaps"}, {.status = 0}, seconds(1));

  const std::string text = stage.metrics.text();
  EXPECT_THAT(text, Not(HasSubstr(R"(rest_client_response_size_bytes_count{host="10.0.0.1:6443",verb="POST"})")));
  for (const char* line :
       {R"(rest_client_requests_total{code="200",host="10.0.0.1:6443",method="GET"} 2)",
        R"(rest_client_requests_total{code="429",host="10.0.0.1:6443",method="GET"} 1)",
        R"(rest_client_requests_total{code="<error>",host="10.0.0.1:6443",method="GET"} 1)",
        R"(rest_client_request_retries_total{code="429",host="10.0.0.1:6443",verb="GET"} 1)",
        R"(rest_client_request_duration_seconds_bucket{host="10.0.0.1:6443",verb="GET",le="0.005"} 3)",
        R"(rest_client_request_size_bytes_count{host="10.0.0.1:6443",verb="GET"} 4)",
        R"(rest_client_response_size_bytes_count{host="10.0.0.1:6443",verb="GET"} 3)"}) {
    EXPECT_THAT(text, HasSubstr(line));
  }
}

TEST(ClientMetrics, CountRequestsByVerbKindAndSubresourceIfEnabled) {
  SimulatedExecutor executor;
  Stage stage(executor);
  Client by_kind({.transport = stage.transport,
                  .log = Log(stage.sink, executor),
                  .metrics = &stage.metrics,
                  .metrics_by_kind = true});
  const auto see = [](Client& client, const std::string& method, const std::string& target) {
    client.record_exchange({.method = method, .target = target}, {.status = 200}, milliseconds(7));
  };
  see(by_kind, "GET", "/apis/apps/v1/namespaces/n/deployments/d?timeout=5s");
  see(by_kind, "GET", "/api/v1/pods?limit=500");
  see(by_kind, "GET", "/api/v1/pods?watch=true");
  see(by_kind, "POST", "/api/v1/namespaces/n/pods/p/eviction");
  see(by_kind, "PUT", "/api/v1/namespaces/n/pods/p/status");
  see(by_kind, "PATCH", "/api/v1/namespaces/n/pods/p");
  see(by_kind, "DELETE", "/api/v1/namespaces/n/pods");
  see(by_kind, "GET", "/version");
  see(stage.client, "GET", "/api/v1/secrets");

  const std::string text = stage.metrics.text();
  for (const char* labels : {R"({kind="deployments",status_code="200",subresource="spec",verb="GET"})",
                             R"({kind="pods",status_code="200",subresource="spec",verb="LIST"})",
                             R"({kind="pods",status_code="200",subresource="spec",verb="WATCH"})",
                             R"({kind="pods",status_code="200",subresource="eviction",verb="CREATE"})",
                             R"({kind="pods",status_code="200",subresource="status",verb="UPDATE"})",
                             R"({kind="pods",status_code="200",subresource="spec",verb="PATCH"})",
                             R"({kind="pods",status_code="200",subresource="spec",verb="DELETE"})"}) {
    EXPECT_THAT(text, HasSubstr(std::string("kubernetes_client_requests_total") + labels + " 1\n"));
    EXPECT_THAT(text, HasSubstr(std::string("kubernetes_client_request_duration_seconds_count") + labels + " 1\n"));
  }
  EXPECT_THAT(text, HasSubstr(R"(subresource="spec",verb="LIST",le="0.01"} 1)"));
  EXPECT_THAT(text, Not(HasSubstr("secrets"))) << "a request that was never sent is not counted";
}

}  // namespace
}  // namespace pintle
