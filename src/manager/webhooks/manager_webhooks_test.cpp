// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <unistd.h>

#include <pintle/http/certificates.hpp>
#include <pintle/http/listen_address.hpp>
#include <pintle/http/net_transport.hpp>
#include <pintle/json/pointer.hpp>
#include <pintle/manager/manager.hpp>
#include <pintle/object/bytes.hpp>
#include <pintle/webhook/admission.hpp>

#include "controller/test_support.hpp"
#include "http/certificate_info.hpp"
#include "webhook/test_support.hpp"

namespace pintle {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

constexpr std::string_view configurations = "validatingwebhookconfigurations.admissionregistration.k8s.io";
constexpr std::string_view config_map_review =
    R"({"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{"uid":"u-3","operation":"CREATE",)"
    R"("kind":{"group":"","version":"v1","kind":"ConfigMap"},"object":{"apiVersion":"v1","kind":"ConfigMap"}}})";

Admission<Object> refuse_all(FailurePolicy policy = FailurePolicy::ignore) {
  return {.kind = {"v1", "ConfigMap"},
          .validate = [](const Object&, const AdmissionContext&) { return denied("no config maps"); },
          .failure_policy = policy};
}

// An API server that refuses requests for some paths until they are admitted. Thread-safe.
class RefusingServer final : public http::Handler {
 public:
  RefusingServer(Executor& executor, http::Handler& server) : server_(server), mutex_(executor), changed_(executor) {}

  http::Response handle(const http::Request& request) override {
    {
      const MutexLock lock(mutex_);
      for (Path& one : paths_) {
        if (request.target.find(one.part) == std::string::npos) continue;
        one.was_requested = true;
        changed_.notify_all();
        if (!one.is_admitted) return {.status = 503, .body = "refused by the test"};
      }
    }
    return server_.handle(request);
  }
  void wait_for(const std::string& part) {
    const MutexLock lock(mutex_);
    while (!find(part).was_requested) changed_.wait(mutex_);
  }
  void admit(const std::string& part) {
    const MutexLock lock(mutex_);
    find(part).is_admitted = true;
  }

 private:
  struct Path {
    std::string part{};
    bool was_requested = false;
    bool is_admitted = false;
  };
  Path& find(const std::string& part) PINTLE_REQUIRES(mutex_) {
    return *std::find_if(paths_.begin(), paths_.end(), [&](const Path& one) { return one.part == part; });
  }

  http::Handler& server_;
  Mutex mutex_;
  CondVar changed_;
  std::vector<Path> paths_ PINTLE_GUARDED_BY(mutex_){
      {"/secrets"}, {"/validatingwebhookconfigurations"}, {"/configmaps"}, {"/v2/doors"}};
};

// A manager in a real process, because the webhooks are served on a socket.
class ManagerWebhooksTest : public ::testing::Test {
 protected:
  void SetUp() override { create("/api/v1/namespaces", R"({"metadata":{"name":"shop"}})"); }
  void create(const std::string& path, const std::string& body) {
    const http::Response made = server_.handle(
        {.method = "POST", .target = path, .headers = {{"Content-Type", "application/json"}}, .body = body});
    ASSERT_EQ(made.status, 201) << made.body;
  }
  // Creates a Secret of another program.
  void create_secret(const std::string& name, const http::SelfSignedKeyPair& pair) {
    const json::Value secret{{"metadata", {{"name", name}}},
                             {"type", "kubernetes.io/tls"},
                             {"data",
                              {{"tls.crt", Bytes(pair.server.certificate).to_base64()},
                               {"tls.key", Bytes(pair.server.key).to_base64()},
                               {"ca.crt", Bytes(pair.authority).to_base64()}}}};
    create("/api/v1/namespaces/shop/secrets", json::print(secret));
  }
  ManagerOptions options(WebhookOptions webhooks) {
    return {.name = "op",
            .log_level = LogLevel::off,
            .executor = executor_.get(),
            .transport = std::make_shared<http::InProcessTransport>(*executor_, server_),
            .webhooks = std::move(webhooks)};
  }
  // Makes a manager with pages whose transport sends to `handler`.
  Manager& make_with(http::Handler& handler, std::shared_ptr<Tracer> tracer = nullptr) {
    ManagerOptions with = options({.listen = "127.0.0.1:0", .service_namespace = "shop"});
    with.listen = "127.0.0.1:0";
    with.transport = std::make_shared<http::InProcessTransport>(*executor_, handler);
    with.tracer = std::move(tracer);
    return manager_.emplace(std::move(with));
  }
  Manager& make(WebhookOptions webhooks) { return manager_.emplace(options(std::move(webhooks))); }
  std::string installed_authority() {
    const std::vector<Object> installed = server_.objects(configurations);
    return Bytes::from_base64(installed.at(0)["/webhooks/0/clientConfig/caBundle"].text()).value().data;
  }
  // The authorities in the Secret of the instances.
  std::string authority() {
    return Bytes::from_base64(server_.objects("secrets").at(0)["/data/ca.crt"].text()).value().data;
  }
  // `host`: the host that the client verifies.
  Result<http::BufferedResponse> call(const std::string& ca, const std::string& host = "op.shop.svc") {
    const auto address = http::parse_listen_address(manager_->webhook_listen_address()).value();
    const auto transport = http::make_network_transport(*executor_);
    return http::send(*transport,
                      {.method = "POST",
                       .target = "/validate/configmap",
                       .headers = {{"Content-Type", "application/json"}},
                       .body = std::string(config_map_review),
                       .endpoint = std::make_shared<http::Endpoint>(http::Endpoint{
                           .tls = true, .host = address.host, .port = address.port, .ca = ca, .server_name = host})});
  }
  // Returns the status and the body of the page, or the error.
  std::string readyz() {
    const auto address = http::parse_listen_address(manager_->listen_address()).value();
    const auto transport = http::make_network_transport(*executor_);
    const auto response = http::send(
        *transport,
        {.target = "/readyz",
         .endpoint = std::make_shared<http::Endpoint>(http::Endpoint{.host = address.host, .port = address.port})});
    return response ? std::to_string(response->status) + " " + response->body : response.error().to_string();
  }

  std::unique_ptr<Executor> executor_ = make_real_executor();
  ApiServer server_{*executor_, {}};
  std::optional<Manager> manager_;
};

TEST_F(ManagerWebhooksTest, ServesItsAdmissionsAndInstallsTheirConfiguration) {
  Manager& manager = make({.listen = "127.0.0.1:0", .service_namespace = "shop"});
  manager.add(refuse_all());
  EXPECT_FALSE(manager.is_ready());

  const auto started = manager.start();

  ASSERT_TRUE(started) << started.error().to_string();
  EXPECT_TRUE(manager.is_ready());
  const std::vector<Object> installed = server_.objects(configurations);
  ASSERT_EQ(installed.size(), 1U);
  EXPECT_EQ(installed[0].annotation("pintle.dev/manager"), "op");
  EXPECT_EQ(installed[0]["/webhooks/0/clientConfig/service/namespace"], "shop");
  // The installed authority verifies the server.
  const auto ca = Bytes::from_base64(installed[0]["/webhooks/0/clientConfig/caBundle"].text()).value().data;
  const auto response = call(ca);
  ASSERT_TRUE(response) << response.error().to_string();
  EXPECT_THAT(response->body, HasSubstr("no config maps"));
  EXPECT_THAT(response->body, HasSubstr("u-3"));

  manager.stop();
  EXPECT_FALSE(manager.is_ready());
  EXPECT_FALSE(call(ca));
}

TEST_F(ManagerWebhooksTest, IsReadyWhenItHasACertificateAndListensAndItsCachesAreFilled) {
  const std::string not_ready = "503 the operator is starting or stopping\n";
  RefusingServer server(*executor_, server_);
  Manager& manager = make_with(server);
  manager.add(refuse_all());
  manager.add(Controller<Object>{.watch = {"v1", "ConfigMap"},
                                 .reconcile = [](const Object&, Context&) -> Outcome { return done; }});
  Result<void> started;
  Thread starter = executor_->spawn({.name = "starter"}, [&] { started = manager.start(); });

  server.wait_for("/secrets");
  EXPECT_FALSE(manager.is_ready());
  EXPECT_EQ(readyz(), not_ready);
  EXPECT_EQ(manager.webhook_listen_address(), "");
  server.admit("/secrets");
  server.wait_for("/validatingwebhookconfigurations");
  EXPECT_FALSE(manager.is_ready());
  EXPECT_EQ(readyz(), not_ready);
  server.admit("/validatingwebhookconfigurations");
  server.wait_for("/configmaps");
  EXPECT_FALSE(manager.is_ready());
  EXPECT_THAT(readyz(), StartsWith("503 the first list of configmaps has not arrived"));
  const auto response = call(authority());
  ASSERT_TRUE(response) << "it listens before its caches are filled: " << response.error().to_string();
  EXPECT_THAT(response->body, HasSubstr("no config maps"));
  server.admit("/configmaps");

  starter.join();
  ASSERT_TRUE(started) << started.error().to_string();
  EXPECT_TRUE(manager.is_ready());
  EXPECT_EQ(readyz(), "200 ok\n");
  manager.request_stop();
  EXPECT_FALSE(manager.is_ready());
  EXPECT_EQ(readyz(), not_ready);
  manager.stop();
}

// The first list of a kind with several versions may need its conversion, and in a cluster the call of the API server
// reaches the operator only if it is ready.
TEST_F(ManagerWebhooksTest, IsReadyBeforeTheCachesOfTheKindsThatItConverts) {
  RefusingServer server(*executor_, server_);
  server.admit("/secrets");
  Manager& manager = make_with(server);
  manager.add(Controller<Door>{.reconcile = [](const Door&, Context&) -> Outcome { return done; }});
  manager.add(Controller<Object>{.watch = {"v1", "ConfigMap"},
                                 .reconcile = [](const Object&, Context&) -> Outcome { return done; }});
  Result<void> started;
  Thread starter = executor_->spawn({.name = "starter"}, [&] { started = manager.start(); });

  server.wait_for("/v2/doors");
  server.wait_for("/configmaps");
  EXPECT_THAT(readyz(), AllOf(StartsWith("503 "), HasSubstr("the first list of configmaps has not arrived")));
  server.admit("/configmaps");
  const Instant limit = executor_->now() + std::chrono::minutes(1);
  while (readyz() != "200 ok\n" && executor_->now() < limit) executor_->yield();
  EXPECT_EQ(readyz(), "200 ok\n");
  EXPECT_FALSE(manager.is_ready());
  server.admit("/v2/doors");

  starter.join();
  ASSERT_TRUE(started) << started.error().to_string();
  EXPECT_TRUE(manager.is_ready());
  manager.stop();
}

TEST_F(ManagerWebhooksTest, IsNotReadyWithExpiredCertificateFilesWithoutAuthorities) {
  const auto expired =
      http::make_self_signed_key_pair("test", "op.shop.svc", executor_->wall_now() - std::chrono::years(20));
  ASSERT_TRUE(expired);
  const std::string file = ::testing::TempDir() + "/pintle_expired_" + std::to_string(::getpid());
  std::ofstream(file + ".crt") << expired->server.certificate;
  std::ofstream(file + ".key") << expired->server.key;
  ManagerOptions with = options({.listen = "127.0.0.1:0",
                                 .certificate_file = file + ".crt",
                                 .key_file = file + ".key",
                                 .service_namespace = "shop"});
  with.listen = "127.0.0.1:0";
  Manager& manager = manager_.emplace(std::move(with));
  manager.add(refuse_all());

  const auto started = manager.start();

  ASSERT_TRUE(started) << started.error().to_string();
  EXPECT_THAT(readyz(), AllOf(StartsWith("503 "), HasSubstr("the certificate of the webhooks expired at ")));
  manager.stop();
}

TEST_F(ManagerWebhooksTest, IsNotReadyWithAnExpiredCertificate) {
  const WallTime long_ago = executor_->wall_now() - std::chrono::years(20);
  const auto expired = http::make_self_signed_key_pair("test", "op.shop.svc", long_ago);
  ASSERT_TRUE(expired);
  create_secret("given", *expired);
  ManagerOptions with = options({.listen = "127.0.0.1:0", .foreign_secret = "given", .service_namespace = "shop"});
  with.listen = "127.0.0.1:0";
  Manager& manager = manager_.emplace(std::move(with));
  manager.add(refuse_all());

  const auto started = manager.start();

  ASSERT_TRUE(started) << started.error().to_string();
  EXPECT_THAT(readyz(), AllOf(StartsWith("503 "), HasSubstr("the certificate of the webhooks expired at ")));
  manager.stop();
}

TEST_F(ManagerWebhooksTest, EachCallIsASpanOfItsTracer) {
  const auto tracer = std::make_shared<SpanRecorder>();
  Manager& manager = make_with(server_, tracer);
  manager.add(refuse_all());
  ASSERT_TRUE(manager.start());
  ASSERT_TRUE(call(authority()));
  manager.stop();
  ASSERT_EQ(tracer->spans.size(), 1U);
  EXPECT_EQ(tracer->spans[0]->name, "webhook /validate/configmap");
  EXPECT_EQ(tracer->spans[0]->attributes.at("pintle.outcome"), "denied");
}

TEST_F(ManagerWebhooksTest, InstancesShareTheCertificateInASecret) {
  Manager& first = make({.listen = "127.0.0.1:0", .service_namespace = "shop"});
  first.add(refuse_all());
  ASSERT_TRUE(first.start());
  const std::vector<Object> made = server_.objects("secrets");
  ASSERT_EQ(made.size(), 1U);
  EXPECT_EQ(made[0].key().to_string(), "shop/op-webhooks");
  EXPECT_EQ(made[0].annotation("pintle.dev/manager"), "op");
  const std::string bundle(server_.objects(configurations).at(0)["/webhooks/0/clientConfig/caBundle"].text());
  EXPECT_EQ(bundle, made[0]["/data/ca.crt"].text());

  Manager second(options({.listen = "127.0.0.1:0", .service_namespace = "shop"}));
  second.add(refuse_all());
  ASSERT_TRUE(second.start());
  EXPECT_EQ(server_.objects("secrets").at(0), made[0]) << "the second instance uses the certificate of the first";
  EXPECT_EQ(server_.objects(configurations).at(0)["/webhooks/0/clientConfig/caBundle"].text(), bundle);
  second.stop();
  first.stop();
}

TEST_F(ManagerWebhooksTest, TheSecretOfAnotherProgramIsUsedAndNotChanged) {
  const auto pair = http::make_self_signed_key_pair("cert-manager", "op.shop.svc", executor_->wall_now());
  ASSERT_TRUE(pair);
  create_secret("given", *pair);
  const std::vector<Object> before = server_.objects("secrets");
  Manager& manager = make({.listen = "127.0.0.1:0", .foreign_secret = "given", .service_namespace = "shop"});
  manager.add(refuse_all());
  ASSERT_TRUE(manager.start());
  EXPECT_EQ(server_.objects("secrets"), before);
  EXPECT_EQ(server_.objects(configurations).at(0)["/webhooks/0/clientConfig/caBundle"].text(),
            Bytes(pair->authority).to_base64());
  manager.stop();
}

TEST_F(ManagerWebhooksTest, ASecretOfSomebodyElseIsAnErrorOfTheStart) {
  create("/api/v1/namespaces/shop/secrets", R"({"metadata":{"name":"op-webhooks"},"data":{"a":"YQ=="}})");
  Manager& manager = make({.listen = "127.0.0.1:0", .service_namespace = "shop"});
  manager.add(refuse_all());
  const auto started = manager.start();
  ASSERT_FALSE(started);
  EXPECT_THAT(started.error().to_string(), HasSubstr("was not made by a manager"));
  EXPECT_THAT(server_.objects(configurations), IsEmpty());
}

TEST_F(ManagerWebhooksTest, ContradictoryCertificatesAreErrorsOfTheStart) {
  Manager& manager = make({.listen = "127.0.0.1:0", .secret = "a", .foreign_secret = "B"});
  manager.add(refuse_all());
  const auto started = manager.start();
  ASSERT_FALSE(started);
  EXPECT_THAT(started.error().to_string(), HasSubstr("--webhook-foreign-secret excludes --webhook-secret"));
  EXPECT_THAT(started.error().to_string(), HasSubstr("the name of the Secret \"B\""));
}

TEST_F(ManagerWebhooksTest, DoesNotStartWithoutAnAddress) {
  Manager& manager = make({});
  manager.add(refuse_all());
  const auto started = manager.start();
  ASSERT_FALSE(started);
  EXPECT_THAT(started.error().to_string(), HasSubstr("set --webhook-listen HOST:PORT"));
}

TEST_F(ManagerWebhooksTest, DoesNotStartIfAnAdmissionCouldLockTheCluster) {
  Manager& manager = make({.listen = "127.0.0.1:0"});
  manager.add(refuse_all(FailurePolicy::fail));
  manager.add(refuse_all());
  const auto started = manager.start();
  ASSERT_FALSE(started);
  EXPECT_THAT(started.error().to_string(), HasSubstr("could not be repaired"));
  EXPECT_THAT(started.error().to_string(), HasSubstr("two admissions have the name \"configmap\""));
  EXPECT_THAT(server_.objects(configurations), IsEmpty());
}

TEST(ManagerWebhooksSimulation, IsRefusedWithAReason) {
  testkit::Simulation simulation{{.seed = 3}};
  Manager manager({.name = "op",
                   .log_level = LogLevel::off,
                   .executor = &simulation.executor(),
                   .transport = simulation.connect(),
                   .webhooks = {.listen = ":9443"}});
  manager.add(refuse_all());
  const auto started = manager.start();
  ASSERT_FALSE(started);
  EXPECT_THAT(started.error().to_string(), HasSubstr("a simulation does not have"));
}

// The namespace of the context is where the developer works, not the one of the operator.
TEST_F(ManagerWebhooksTest, AnOperatorBehindAURLReceivesTheObjectsOfAllNamespaces) {
  Manager& manager = make({.listen = "127.0.0.1:0", .url = "https://127.0.0.1:1"});
  manager.add(refuse_all());

  const auto started = manager.start();

  ASSERT_TRUE(started) << started.error().to_string();
  const std::vector<Object> installed = server_.objects(configurations);
  ASSERT_EQ(installed.size(), 1U);
  EXPECT_EQ(installed[0]["/webhooks/0/namespaceSelector"].print(), "{}");
}

TEST_F(ManagerWebhooksTest, TheCertificateInASecretIsValidForTheHostOfTheUrl) {
  Manager& manager = make({.listen = "127.0.0.1:0", .secret = "certificates", .url = "https://127.0.0.1:1"});
  manager.add(refuse_all());

  const auto started = manager.start();

  ASSERT_TRUE(started) << started.error().to_string();
  const std::string ca = installed_authority();
  EXPECT_EQ(ca, authority());
  const auto response = call(ca, "");  // verifies the host to which it connects
  ASSERT_TRUE(response) << response.error().to_string();
  EXPECT_THAT(response->body, HasSubstr("no config maps"));
  manager.stop();
}

TEST_F(ManagerWebhooksTest, EachCertificateIsValidForTheHostOfTheUrlAndForAGivenService) {
  const std::pair<std::string, std::string> cases[] = {{"https://op.example.com:9443", "op.example.com"},
                                                       {"https://192.0.2.7:9443", "192.0.2.7"},
                                                       {"https://[2001:db8::1]:9443", "2001:db8::1"}};
  for (const auto& [url, host] : cases) {
    // With `if_missing`, the configuration would keep the address of the previous case.
    WebhookOptions with{
        .listen = "127.0.0.1:0", .url = url, .service_namespace = "shop", .install = WebhookPolicy::upgrade};
    Manager& generated = make(with);
    generated.add(refuse_all());
    ASSERT_TRUE(generated.start()) << url;
    EXPECT_TRUE(call(installed_authority(), host)) << host;
    EXPECT_TRUE(call(installed_authority())) << host;
    EXPECT_FALSE(call(installed_authority(), "other.example.com")) << host;
    generated.stop();

    with.secret = "certificates-" + std::to_string(server_.objects("secrets").size());
    Manager& shared = make(with);
    shared.add(refuse_all());
    ASSERT_TRUE(shared.start()) << url;
    const json::View data = server_.objects("secrets").back()["/data"];
    const std::string served = Bytes::from_base64(data.member("tls.crt").text()).value().data;
    for (const std::string& name : {host, std::string("op.shop.svc")}) {
      const auto verified = http::verify_server_certificate({"served", served}, {"installed", installed_authority()},
                                                            name, executor_->wall_now());
      EXPECT_TRUE(verified) << name << ": " << verified.error().to_string();
    }
    shared.stop();
  }
}

TEST_F(ManagerWebhooksTest, PrintsItsConfigurations) {
  Manager& unknown = make({});
  unknown.add(refuse_all());
  EXPECT_THAT(unknown.print_webhooks().error().message, HasSubstr("--webhook-service-namespace"));

  Manager& manager = make({.service_namespace = "shop"});
  manager.add(refuse_all());
  EXPECT_THAT(manager.print_webhooks().value(), HasSubstr("kind: ValidatingWebhookConfiguration"));
}

TEST_F(ManagerWebhooksTest, PrintsNothingWithoutAdmissions) { EXPECT_EQ(make({}).print_webhooks().value(), ""); }

TEST_F(ManagerWebhooksTest, PrintsTheRulesToInstallThem) {
  Manager& manager = make({});
  manager.add(refuse_all());
  const auto roles = manager.roles();
  ASSERT_EQ(roles.size(), 1U);
  const std::string group = "admissionregistration.k8s.io";
  const std::string resource = "validatingwebhookconfigurations";
  const std::string undeclared = "mutatingwebhookconfigurations";
  EXPECT_THAT(
      roles[0].rules,
      ElementsAre(RbacRule{"", "secrets", {"create"}}, RbacRule{"", "secrets", {"get", "update"}, {"op-webhooks"}},
                  RbacRule{group, undeclared, {"get"}, {"op"}}, RbacRule{group, resource, {"create"}},
                  RbacRule{group, resource, {"get", "patch", "update"}, {"op"}}));

  Manager& given = make({.certificate_file = "a", .key_file = "b"});
  given.add(refuse_all());
  ASSERT_EQ(given.roles().size(), 1U);
  EXPECT_THAT(given.roles()[0].rules,
              ElementsAre(RbacRule{group, undeclared, {"get"}, {"op"}}, RbacRule{group, resource, {"create"}},
                          RbacRule{group, resource, {"get", "update"}, {"op"}}));

  Manager& kept = make({.certificate_file = "a", .key_file = "b", .ca_file = "c"});
  kept.add(refuse_all());
  EXPECT_THAT(kept.roles().at(0).rules,
              ElementsAre(RbacRule{group, undeclared, {"get"}, {"op"}}, RbacRule{group, resource, {"create"}},
                          RbacRule{group, resource, {"get", "patch", "update"}, {"op"}}));

  Manager& upgrading = make({.install = WebhookPolicy::upgrade});
  EXPECT_THAT(upgrading.roles().at(0).rules, ElementsAre(RbacRule{group, undeclared, {"delete", "get"}, {"op"}},
                                                         RbacRule{group, resource, {"delete", "get"}, {"op"}}));
  EXPECT_THAT(make({}).roles(), IsEmpty()) << "without webhooks";

  Manager& passive = make({.url = "https://127.0.0.1:1", .install = WebhookPolicy::never});
  passive.add(refuse_all());
  EXPECT_THAT(passive.roles(), IsEmpty());

  Manager& foreign = make({.foreign_secret = "given", .service_namespace = "shop", .install = WebhookPolicy::never});
  foreign.add(refuse_all());
  const auto both = foreign.roles();
  ASSERT_EQ(both.size(), 2U);
  EXPECT_THAT(both[0].rules, ElementsAre(RbacRule{"", "secrets", {"get"}, {"given"}}));
  EXPECT_THAT(both[1].rules, ElementsAre(RbacRule{group, resource, {"get", "patch"}, {"op"}}));
}

}  // namespace
}  // namespace pintle
