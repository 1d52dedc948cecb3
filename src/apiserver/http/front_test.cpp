// SPDX-License-Identifier: Apache-2.0
// The entry for requests: paths, methods, tokens and forms.
#include "../test_server.hpp"

#include <stdexcept>

#include <pintle/sim/in_process_network.hpp>

namespace pintle {
namespace {

class Front : public ServerTest {
 protected:
  Front() : ServerTest({.build = "test-1.0"}) {}
};

struct PathCase {
  const char* method;
  const char* target;
  int status;
  bool is_status;  // true: a Status, false: text
};

class Paths : public ServerTest, public testing::WithParamInterface<PathCase> {};

TEST_P(Paths, GetTheResponsesOfTheRealServer) {
  const PathCase& one = GetParam();
  const auto reply = call(one.method, one.target);
  EXPECT_EQ(reply.status, one.status);
  EXPECT_EQ(reply.at("/kind") == "Status", one.is_status) << reply.body;
}

const PathCase paths[] = {
    {"GET", "/", 200, false},
    {"GET", "/nope", 404, false},
    {"GET", "/openapi", 404, false},
    {"GET", "/openapi/v2", 200, false},
    {"GET", "/openapi/v3", 200, false},
    {"GET", "/openapi/v3/api/v1", 200, false},
    {"GET", "/openapi/v3/apis", 404, false},
    {"GET", "/openapi/v3/apis/apps/v1", 200, false},
    {"GET", "/openapi/v3/apis/apps/v9", 404, false},
    {"GET", "/openapi/v3/apis/apps/v1/more", 404, false},
    {"POST", "/openapi/v2", 405, true},
    {"GET", "/apis/none.dev", 404, false},
    {"GET", "/apis/none.dev/v1/things", 404, false},
    {"GET", "/apis/apps/v9", 404, false},
    {"GET", "/api/v1/frobs", 404, true},
    {"GET", "/apis/apps/v1/frobs", 404, true},
    {"GET", "/api/v1/configmaps/a", 404, true},
    {"GET", "/api/v1/namespaces/default/namespaces/a", 404, true},
    {"GET", "/api/v1/namespaces/default/configmaps/a/status", 404, true},
    {"GET", "/api/v1/namespaces/default/configmaps/a/b/c", 404, true},
    {"POST", "/api/v1/configmaps", 405, true},
    {"DELETE", "/api/v1/configmaps", 405, true},
    {"DELETE", "/api/v1/namespaces", 405, true},
    {"POST", "/api/v1", 405, true},
    {"GET", "/api/v1/namespaces/default/finalize", 405, true},
    {"BREW", "/api/v1/namespaces/default/configmaps", 405, true},
    {"GET", "//api//v1/namespaces/default/configmaps/", 200, false},
};
INSTANTIATE_TEST_SUITE_P(All, Paths, testing::ValuesIn(paths));

TEST_F(Front, VersionNamesTheImitatedServerAndItself) {
  const auto version = get("/version");
  EXPECT_EQ(version.at("/gitVersion"), "v1.36.2+test-1.0");
  EXPECT_EQ(version.at("/imitates"), "kube-apiserver v1.36.2");
}

TEST_F(Front, DescribesEveryResourceOnce) {
  const auto core = get("/api/v1");
  std::string all;
  std::string hash;
  for (const json::Value& resource : core.json.at("resources").as_array()) {
    const std::string_view name = resource.at("name").as_string();
    if (name.starts_with("namespaces") || name == "pods" || name == "pods/log") all += std::string(name) + " ";
    if (name == "configmaps") hash = resource.at("storageVersionHash").as_string();
  }
  EXPECT_EQ(all, "namespaces namespaces/finalize namespaces/status pods pods/log ");
  EXPECT_EQ(hash, "qFsyl6wFWjQ=");
  EXPECT_EQ(get("/apis/apps/v1").at("/resources/7/name"), "replicasets/scale");
}

TEST_F(Front, AggregatedDiscoveryIsReturnedOnRequest) {
  const auto reply =
      get("/apis", "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json");
  EXPECT_EQ(reply.at("/kind"), "APIGroupDiscoveryList");
  EXPECT_EQ(reply.headers.get("Content-Type"), "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList");
  EXPECT_EQ(get("/apis", "application/json").at("/kind"), "APIGroupList");
}

TEST_F(Front, HealthPagesReturnOk) {
  for (const char* path : {"/healthz", "/livez", "/readyz", "/livez/ping", "/readyz/informer-sync",
                           "/readyz/poststarthook/rbac/bootstrap-roles", "/healthz/autoregister-completion"}) {
    const auto reply = get(path);
    EXPECT_EQ(reply.status, 200) << path;
    EXPECT_EQ(reply.body, "ok") << path;
  }
  // server-facts 21
  const std::string report = get("/livez?verbose&exclude=etcd").body;
  EXPECT_TRUE(
      report.starts_with("[+]ping ok\n[+]log ok\n[+]etcd excluded: ok\n"
                         "[+]poststarthook/start-apiserver-admission-initializer ok\n"))
      << report;
  EXPECT_TRUE(report.ends_with("[+]poststarthook/apiservice-openapiv3-controller ok\nlivez check passed\n")) << report;
  EXPECT_EQ(report.find("[+]informer-sync"), std::string::npos);
  EXPECT_TRUE(get("/readyz?verbose").body.ends_with("[+]shutdown ok\nreadyz check passed\n"));
  for (const char* path : {"/livez/none", "/livez/shutdown", "/readyz/poststarthook", "/readyz/ping/ping"}) {
    EXPECT_EQ(get(path).status, 404) << path;
  }
}

// server-facts 21
TEST_F(Front, TheRootListsEveryPathInOrder) {
  const auto root = get("/");
  const json::array& paths = root.json.at("paths").as_array();
  std::vector<std::string> listed;
  for (const json::Value& path : paths) listed.emplace_back(path.as_string());
  EXPECT_TRUE(std::ranges::is_sorted(listed));
  EXPECT_EQ(std::ranges::adjacent_find(listed), listed.end()) << root.body;
  for (const char* path :
       {"/.well-known/openid-configuration", "/api", "/api/v1", "/apis", "/apis/apps", "/apis/apps/v1", "/healthz",
        "/healthz/autoregister-completion", "/livez/etcd", "/metrics", "/openapi/v2", "/openapi/v3", "/openid/v1/jwks",
        "/readyz/poststarthook/crd-informer-synced", "/readyz/shutdown", "/version"}) {
    EXPECT_TRUE(std::ranges::binary_search(listed, std::string(path))) << path;
  }
  // A path that is listed is served, "/openapi/v3/" with and without its end.
  for (const std::string& path : listed) {
    EXPECT_NE(get(path).status, 404) << path;
  }
}

TEST_F(Front, AnUnknownSubresourceIsNotFound) {
  EXPECT_EQ(get(config_maps + "/a/none").at("/message"), "the server could not find the requested resource");
  post(definitions, widget_definition("part.dev"));
  run_until_idle();
  const auto custom = get("/apis/part.dev/v1/namespaces/default/widgets/w/none");
  EXPECT_EQ(custom.status, 404);
  EXPECT_EQ(custom.at("/message"), "widgets.part.dev \"w\" not found");
  EXPECT_EQ(custom.at("/details"), R"({"name":"w","group":"part.dev","kind":"widgets"})");
}

TEST_F(Front, ATimeoutMustBeADuration) {
  const auto refused = get(config_maps + "?timeout=invalid");
  EXPECT_EQ(refused.status, 400);
  EXPECT_EQ(refused.at("/message"),
            "invalid timeout specified in the request URL - time: invalid duration \"invalid\"");
  EXPECT_EQ(get(config_maps + "?timeout=10").at("/message"),
            "invalid timeout specified in the request URL - time: missing unit in duration \"10\"");
  EXPECT_EQ(get(config_maps + "?timeout=10s").status, 200);
  EXPECT_EQ(get(config_maps + "?limit=-1").status, 200);
}

// server-facts 12
TEST_F(Front, TablesAndMetadataAreAlsoServedAsBeta) {
  post(config_maps, config_map("a"));
  const auto table = get(config_maps, "application/json;as=Table;v=v1beta1;g=meta.k8s.io");
  EXPECT_EQ(table.at("/kind") + " " + table.at("/apiVersion"), "Table meta.k8s.io/v1beta1");
  const std::string metadata = "application/json;as=PartialObjectMetadata;v=v1beta1;g=meta.k8s.io";
  EXPECT_EQ(get(config_maps + "/a", metadata).at("/apiVersion"), "meta.k8s.io/v1beta1");
  EXPECT_EQ(get(config_maps, metadata).at("/apiVersion"), "meta.k8s.io/v1beta1");
  const auto review = call("POST", "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
                           R"({"spec":{"resourceAttributes":{"verb":"get"}}})", "application/json",
                           {{"Accept", "application/json;as=Table;v=v1;g=meta.k8s.io"}});
  EXPECT_EQ(review.status, 406);
}

// server-facts 21
TEST_F(Front, AWatchOfTablesSendsTheColumnsOnce) {
  post(config_maps, config_map("a"));
  post(config_maps, config_map("b"));
  TestWatch tables(executor_,
                   server_.handle({.method = "GET",
                                   .target = config_maps + "?watch=1",
                                   .headers = {{"Accept", "application/json;as=Table;v=v1;g=meta.k8s.io"}}}));
  EXPECT_NE(json::print(tables.take().at_pointer("/object/columnDefinitions")), "null");
  EXPECT_EQ(json::print(tables.take().at_pointer("/object/columnDefinitions")), "null");
}

// server-facts 21
TEST_F(Front, DeprecatedKindsSendAWarning) {
  EXPECT_EQ(get("/api/v1/namespaces/default/endpoints").headers.get("Warning"),
            "299 - \"v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice\"");
  EXPECT_EQ(get("/api/v1/namespaces/default/endpoints/none").headers.get("Warning"),
            "299 - \"v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice\"");
  post(definitions, widget_definition("old.dev", R"("deprecated":true,)"));
  run_until_idle();
  EXPECT_EQ(get("/apis/old.dev/v1/widgets").headers.get("Warning"), "299 - \"old.dev/v1 Widget is deprecated\"");
}

TEST_F(Front, MetricsCountRequestsAndObjects) {
  post(config_maps, config_map("a"));
  post(config_maps, config_map("a"));
  get(config_maps);
  get("/apis/apps/v1/namespaces/default/deployments/none/scale");

  const auto metrics = get("/metrics");
  EXPECT_EQ(metrics.headers.get("Content-Type"), "text/plain; version=0.0.4; charset=utf-8");
  const auto has = [&](const std::string& line) { return metrics.body.find(line + "\n") != std::string::npos; };
  const auto total = [](const std::string& code, const std::string& verb) {
    return R"(apiserver_request_total{code=")" + code + R"(",group="",resource="configmaps",subresource="",verb=")" +
           verb + R"(",version="v1"} 1)";
  };
  EXPECT_TRUE(has(total("201", "create"))) << metrics.body;
  EXPECT_TRUE(has(total("409", "create")));
  EXPECT_TRUE(has(total("200", "list")));
  EXPECT_TRUE(has(R"(apiserver_request_total{code="404",group="apps",resource="deployments",subresource="scale",)"
                  R"(verb="get",version="v1"} 1)"));
  EXPECT_TRUE(has(R"(apiserver_storage_objects{resource="configmaps"} 1)"));
}

class RateLimitedFront : public ServerTest {
 protected:
  RateLimitedFront() : ServerTest({.requests_per_second = 2}) {}
};

TEST_F(RateLimitedFront, RefusesRequestsBeyondTheRateWithRetryAfter) {
  EXPECT_EQ(get(config_maps).status, 200);
  EXPECT_EQ(get(config_maps).status, 200);
  const auto refused = get(config_maps);
  EXPECT_EQ(refused.status, 429);
  EXPECT_EQ(refused.at("/reason"), "TooManyRequests");
  EXPECT_EQ(refused.headers.get("Retry-After"), "1");
  EXPECT_EQ(get("/healthz").status, 200);

  executor_.sleep_for(std::chrono::milliseconds(500));
  EXPECT_EQ(get(config_maps).status, 200);
  EXPECT_EQ(get(config_maps).status, 429);
  executor_.sleep_for(std::chrono::hours(1));
  EXPECT_EQ(get(config_maps).status, 200);
  EXPECT_EQ(get(config_maps).status, 200);
  EXPECT_EQ(get(config_maps).status, 429);
}

class GuardedFront : public ServerTest {
 protected:
  GuardedFront() : ServerTest({.token = "sesame"}) {}
  int with(std::string header) {
    http::Headers headers;
    headers.set("Authorization", std::move(header));
    return call("GET", config_maps, "", "", std::move(headers)).status;
  }
};

TEST_F(GuardedFront, AcceptsOnlyItsToken) {
  EXPECT_EQ(with("Bearer sesame"), 200);
  EXPECT_EQ(with("Bearer sesam"), 401);
  EXPECT_EQ(with("Bearer sesamee"), 401);
  EXPECT_EQ(with("Bearer "), 401);
  EXPECT_EQ(with("Basic sesame"), 401);
  const auto refused = get("/healthz");
  EXPECT_EQ(refused.status, 401);
  EXPECT_EQ(refused.at("/reason"), "Unauthorized");
}

// The user has the name and the groups in the client certificate.
TEST_F(GuardedFront, AcceptsACertificateInPlaceOfTheToken) {
  http::Request request{.method = "POST",
                        .target = "/apis/authentication.k8s.io/v1/selfsubjectreviews",
                        .headers = {{"Content-Type", "application/json"}},
                        .body = "{}"};
  EXPECT_EQ(server_.handle(request).status, 401);
  request.peer = std::make_shared<const http::CertificateSubject>(
      http::CertificateSubject{.common_name = "jane", .organizations = {"writers"}});
  const auto review = server_.handle(request);
  EXPECT_EQ(review.status, 201);
  EXPECT_NE(review.body.find(R"("username":"jane","groups":["writers","system:authenticated"])"), std::string::npos)
      << review.body;
  request.headers.set("Authorization", "Bearer wrong");
  EXPECT_EQ(server_.handle(request).status, 401) << "an invalid token is refused";
}

TEST_F(Front, LargeReadsAreCompressedOnRequest) {
  const auto with = [&](const std::string& target, const char* accepted) {
    http::Headers headers;
    headers.set("Accept-Encoding", accepted);
    return call("GET", target, "", "", std::move(headers));
  };
  const std::string large = std::string(200'000, 'x');
  post(config_maps, R"({"metadata":{"name":"small"}})");
  const std::string small_map = with(config_maps + "/small", "gzip").body;
  EXPECT_TRUE(small_map.starts_with("{")) << "less than 128 KiB";
  post(config_maps, R"({"metadata":{"name":"a"},"data":{"x":")" + large + R"("}})");

  const auto whole = get(config_maps);
  EXPECT_FALSE(whole.headers.get("Content-Encoding"));
  for (const char* accepted : {"gzip", "deflate, gzip;q=0.5", "br,gzip"}) {
    const auto response = with(config_maps, accepted);
    EXPECT_EQ(response.status, 200);
    EXPECT_EQ(response.headers.get("Content-Encoding"), "gzip") << accepted;
    EXPECT_EQ(response.headers.get("Vary"), "Accept-Encoding");
    EXPECT_TRUE(response.body.starts_with("\x1f\x8b"));
    EXPECT_LT(response.body.size(), 10'000U);
  }
  for (const char* accepted : {"", "identity", "gzip;q=0", "gzip; q=0.0", "deflate"}) {
    EXPECT_EQ(with(config_maps, accepted).body, whole.body) << accepted;
  }
}

class ErrorLines final : public LogSink {
 public:
  void write(const LogRecord& record) override {
    if (record.level == LogLevel::error) lines.emplace_back(record.message);
  }
  std::vector<std::string> lines;
};

// A function in the options throws, in a thread that creates deferred responses.
TEST(FrontFailures, AnExceptionFailsTheRequestAlone) {
  SimulatedExecutor executor({.seed = 1});
  http::InProcessNetwork network(executor);
  const auto log = std::make_shared<ErrorLines>();
  ApiServer server(executor, {.webhooks = {.transport = network.transport(),
                                           .find_service = [](std::string_view) -> std::optional<std::string> {
                                             throw std::runtime_error("no luck");
                                           }},
                              .log = Log(log, executor)});
  const auto send = [&](const std::string& method, const std::string& target, const std::string& body) {
    http::Response response = server.handle({.method = method, .target = target, .body = body});
    if (response.deferred) response = response.deferred();
    return response;
  };
  ASSERT_EQ(send("POST", "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations",
                 R"({"metadata":{"name":"w"},"webhooks":[{"name":"w.a.dev","sideEffects":"None",
                     "admissionReviewVersions":["v1"],"clientConfig":{"service":{"name":"op","namespace":"default"}},
                     "rules":[{"operations":["CREATE"],"apiGroups":[""],"apiVersions":["v1"],
                               "resources":["configmaps"]}]}]})")
                .status,
            201);

  const auto failed = send("POST", config_maps, config_map("a"));

  EXPECT_EQ(failed.status, 500);
  EXPECT_NE(failed.body.find(R"("reason":"InternalError")"), std::string::npos) << failed.body;
  EXPECT_NE(failed.body.find("the server could not handle the request: std::runtime_error: no luck"), std::string::npos)
      << failed.body;
  EXPECT_EQ(log->lines, std::vector<std::string>{"a request failed in the server"});
  EXPECT_EQ(send("GET", config_maps, "").status, 200);
}

// Every request receives a response: no crash, no missing response, and no unintended 5xx.
TEST_F(Front, InvalidRequestsCauseNoServerError) {
  const char* bodies[] = {"",
                          "{",
                          "[]",
                          "null",
                          "1",
                          "\"x\"",
                          R"({"metadata":[]})",
                          R"({"metadata":{"name":{}}})",
                          R"({"metadata":{"labels":[]}})",
                          R"({"metadata":{"name":"a"},"data":[]})",
                          R"({"kind":1,"apiVersion":{}})",
                          R"({"metadata":{"name":"a","ownerReferences":[1]}})",
                          R"({"metadata":{"name":"a","managedFields":[1]}})",
                          R"({"metadata":{"name":"a","finalizers":[null]}})",
                          R"({"spec":{"versions":[1,{}]},"metadata":{"name":"x"}})",
                          R"([{"op":"add"}])",
                          R"({"spec":5,"status":6,"metadata":{"name":"a"}})"};
  const char* types[] = {"application/json",
                         "application/yaml",
                         "application/merge-patch+json",
                         "application/json-patch+json",
                         "application/strategic-merge-patch+json",
                         "application/apply-patch+yaml",
                         "application/vnd.kubernetes.protobuf",
                         "nonsense"};
  const std::string collections[] = {config_maps,
                                     definitions,
                                     "/api/v1/namespaces",
                                     "/api/v1/namespaces/default/events",
                                     "/apis/events.k8s.io/v1/namespaces/default/events",
                                     "/apis/apps/v1/namespaces/default/replicasets",
                                     "/apis/coordination.k8s.io/v1/namespaces/default/leases",
                                     "/api/v1/namespaces/default/secrets",
                                     "/apis/authentication.k8s.io/v1/tokenreviews",
                                     "/apis/authorization.k8s.io/v1/subjectaccessreviews"};
  for (const std::string& collection : collections) {
    for (const char* method : {"POST", "PUT", "PATCH", "DELETE"}) {
      for (const char* body : bodies) {
        for (const char* type : types) {
          for (const char* name : {"", "/a", "/a/status"}) {
            const auto reply = call(method, collection + name + "?fieldManager=m", body, type);
            const bool meant = reply.status < 500 && reply.status >= 200;
            ASSERT_TRUE(meant) << method << " " << collection << name << " " << type << " " << body << ": "
                               << reply.body;
          }
        }
      }
    }
  }
}

TEST_F(Front, RespondsWithValidUtf8ToInvalidBytes) {
  EXPECT_EQ(get("/api/v1/namespaces/a%FFb/pods/p").at("/message"), "pods \"p\" not found");
  EXPECT_EQ(get("/api/v1/namespaces/default/pods/p\xF0").at("/details/name"), "p\xEF\xBF\xBD");
  EXPECT_EQ(get(config_maps + "?fieldSelector=a%FF%3Db").at("/message"),
            "\"a\xEF\xBF\xBD\" is not a known field selector: only \"metadata.name\", \"metadata.namespace\"");
  call("POST", config_maps, R"({"metadata":{"name":"m"},"data":{"k":"v"}})", "application/json",
       {{"User-Agent", "me\xFF/1"}});
  EXPECT_EQ(get(config_maps + "/m").at("/metadata/managedFields/0/manager"), "me\xEF\xBF\xBD");
}

}  // namespace
}  // namespace pintle
