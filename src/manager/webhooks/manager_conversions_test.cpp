// SPDX-License-Identifier: Apache-2.0
#include <atomic>

#include <gmock/gmock.h>

#include <pintle/http/certificates.hpp>
#include <pintle/http/listen_address.hpp>
#include <pintle/http/net_transport.hpp>
#include <pintle/json/pointer.hpp>
#include <pintle/manager/manager.hpp>
#include <pintle/object/bytes.hpp>

#include "controller/test_support.hpp"
#include "webhook/test_support.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr std::string_view crds = "customresourcedefinitions.apiextensions.k8s.io";

std::string door_review(const std::string& version, const std::string& object) {
  return R"({"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1","request":{"uid":"u-1",)"
         R"("desiredAPIVersion":"example.com/)" +
         version + R"(","objects":[)" + object + "]}}";
}
constexpr const char* old_door =
    R"({"apiVersion":"example.com/v1","kind":"Door","metadata":{"name":"a","namespace":"shop"},"spec":{"size":"80x200"}})";
constexpr const char* current_door =
    R"({"apiVersion":"example.com/v2","kind":"Door","metadata":{"name":"b","namespace":"shop"},"spec":{"dimensions":"90x200"}})";

Controller<Door> door_controller() {
  return {.name = "door", .reconcile = [](const Door&, Context&) -> Outcome { return done; }};
}

// The conversion that an author writes by hand, without structs.
AnyConversion door_conversion() {
  AnyConversion made = Door::versions::conversion();
  made.convert = [](const Object& object, std::string_view version) {
    return Door::versions::convert(object, version);
  };
  return made;
}

// Forwards all requests, and counts those that write CRDs. Thread-safe.
class CountsCrdWrites final : public http::Handler {
 public:
  explicit CountsCrdWrites(http::Handler& server) : server_(server) {}
  http::Response handle(const http::Request& request) override {
    if (request.method != "GET" && request.target.starts_with(crds_path)) ++writes;
    return server_.handle(request);
  }
  std::atomic<int> writes = 0;

 private:
  http::Handler& server_;
};

// A manager in a real process, because the webhooks are served on a socket.
class ManagerConversionsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const http::Response made = call("POST", "/api/v1/namespaces", R"({"metadata":{"name":"shop"}})");
    ASSERT_EQ(made.status, 201) << made.body;
  }
  // Sends a request to the API server and runs a deferred response on this thread.
  http::Response call(const std::string& method, const std::string& target, const std::string& body = {},
                      const std::string& type = "application/json") {
    http::Response response =
        server_.handle({.method = method, .target = target, .headers = {{"Content-Type", type}}, .body = body});
    if (response.deferred) response = response.deferred();
    http::read_full_body(response);
    return response;
  }
  // Returns false if the condition is false for a minute.
  bool wait_until(const std::function<bool()>& condition) {
    const Instant limit = executor_->now() + 1min;
    while (!condition()) {
      if (executor_->now() >= limit) return false;
      executor_->yield();
    }
    return true;
  }
  ManagerOptions options(WebhookOptions webhooks, CrdPolicy policy = CrdPolicy::if_missing) {
    return {.name = "op",
            .crds = policy,
            .log_sink = log_,
            .executor = executor_.get(),
            .transport = std::make_shared<http::InProcessTransport>(*executor_, counting_),
            .webhooks = std::move(webhooks)};
  }
  Manager& make(WebhookOptions webhooks, CrdPolicy policy = CrdPolicy::if_missing) {
    return manager_.emplace(options(std::move(webhooks), policy));
  }
  Object installed() {
    const http::Response found = call("GET", std::string(crds_path) + "/" + std::string(door_crd));
    return found.status == 200 ? Object::parse(found.body).value() : Object();
  }
  static std::string authority_in(const Object& crd) {
    return Bytes::from_base64(crd["/spec/conversion/webhook/clientConfig/caBundle"].text()).value().data;
  }
  // `host`: the host that the client verifies.
  Result<http::BufferedResponse> convert(const std::string& ca, const std::string& body,
                                         const std::string& host = "op.shop.svc") {
    const auto address = http::parse_listen_address(manager_->webhook_listen_address()).value();
    const auto transport = http::make_network_transport(*executor_);
    return http::send(*transport,
                      {.method = "POST",
                       .target = "/convert?timeout=30s",
                       .headers = {{"Content-Type", "application/json"}},
                       .body = body,
                       .endpoint = std::make_shared<http::Endpoint>(http::Endpoint{
                           .tls = true, .host = address.host, .port = address.port, .ca = ca, .server_name = host})});
  }
  // Converts an object to v2 and back to v1. Returns the conversions that failed, with their responses.
  std::string failed_conversions(const std::string& ca, const std::string& host = "op.shop.svc") {
    std::string failed;
    for (const auto& [version, object, expected] :
         {std::tuple{"v2", old_door, R"("spec":{"dimensions":"80x200","colour":""})"},
          std::tuple{"v1", current_door, R"("spec":{"size":"90x200"})"}}) {
      const auto response = convert(ca, door_review(version, object), host);
      const std::string body = response ? response->body : response.error().to_string();
      const bool is_converted =
          body.find(R"("status":"Success")") != std::string::npos && body.find(expected) != std::string::npos;
      if (!is_converted) failed += std::string(version) + ": " + body + "\n";
    }
    return failed;
  }
  // Creates a door in v1 through the API server, and returns its spec in v2, or the response that is not expected.
  std::string converted_by_the_api_server() {
    const std::string doors = "/namespaces/shop/doors";
    // The server establishes a CRD in the background.
    wait_until([&] { return call("GET", "/apis/example.com/v2" + doors).status == 200; });
    const http::Response made = call("POST", "/apis/example.com/v1" + doors, old_door);
    if (made.status != 201) return made.body;
    const http::Response read = call("GET", "/apis/example.com/v2" + doors + "/a");
    return read.status == 200 ? Object::parse(read.body).value()["/spec"].print() : read.body;
  }
  // Starts a manager, stops it, and returns how often it wrote the CRD.
  int crd_writes_of_a_start(WebhookOptions webhooks, CrdPolicy policy, const std::string& version = "1.0.0") {
    const int before = counting_.writes;
    ManagerOptions with = options(std::move(webhooks), policy);
    with.version = version;
    Manager& manager = manager_.emplace(std::move(with));
    manager.add(door_controller());
    const auto started = manager.start();
    EXPECT_TRUE(started) << started.error().to_string();
    manager.stop();
    return counting_.writes - before;
  }
  // Returns the error of the start with these declarations.
  std::string error_with(const std::function<void(Manager&)>& add) {
    Manager manager(options({.listen = "127.0.0.1:0", .service_namespace = "shop"}));
    add(manager);
    const auto started = manager.start();
    EXPECT_FALSE(started);
    return started ? "" : started.error().to_string();
  }

  const WebhookOptions in_shop_{.listen = "127.0.0.1:0", .service_namespace = "shop"};
  std::shared_ptr<RecordingLogSink> log_ = std::make_shared<RecordingLogSink>();
  std::unique_ptr<Executor> executor_ = make_real_executor();
  // The service of the webhooks is the address at which the manager listens.
  ApiServer server_{*executor_,
                    {.webhooks = {.transport = http::make_network_transport(*executor_),
                                  .find_service = [this](std::string_view service) -> std::optional<std::string> {
                                    if (service != "op.shop" || !manager_) return std::nullopt;
                                    return "https://" + manager_->webhook_listen_address();
                                  }}}};
  CountsCrdWrites counting_{server_};
  std::optional<Manager> manager_;
};

TEST_F(ManagerConversionsTest, AControllerOfSeveralVersionsServesTheirConversionAndInstallsItsClause) {
  Manager& manager = make(in_shop_);
  manager.add(door_controller());

  const auto started = manager.start();

  ASSERT_TRUE(started) << started.error().to_string();
  const Object crd = installed();
  const json::View conversion = crd["/spec/conversion"];
  EXPECT_EQ(conversion.member("strategy"), "Webhook");
  EXPECT_EQ(conversion["/webhook/conversionReviewVersions"].print(), R"(["v1"])");
  EXPECT_EQ(conversion["/webhook/clientConfig/service"].print(),
            R"({"name":"op","namespace":"shop","port":443,"path":"/convert"})");
  EXPECT_EQ(crd["/spec/versions"].size(), 2U);
  // The installed authority verifies the server.
  const auto response = convert(authority_in(crd), door_review("v2", old_door));
  ASSERT_TRUE(response) << response.error().to_string();
  EXPECT_THAT(response->body, HasSubstr(R"("dimensions":"80x200")"));
  manager.stop();
}

// A client such as kubectl that requests one version of an object that was written in the other one.
TEST_F(ManagerConversionsTest, AClientReadsAndWritesEachVersionThroughTheApiServer) {
  Manager& manager = make(in_shop_);
  manager.add(door_controller());
  ASSERT_TRUE(manager.start());
  const std::string doors_v1 = "/apis/example.com/v1/namespaces/shop/doors";
  const std::string doors_v2 = "/apis/example.com/v2/namespaces/shop/doors";

  const http::Response made = call("POST", doors_v1, old_door);
  const http::Response current = call("GET", doors_v2 + "/a");
  const http::Response painted =
      call("PATCH", doors_v2 + "/a", R"({"spec":{"colour":"red"}})", "application/merge-patch+json");
  const http::Response old = call("GET", doors_v1 + "/a");
  const http::Response list = call("GET", doors_v1);

  ASSERT_EQ(made.status, 201) << made.body;
  ASSERT_EQ(current.status, 200) << current.body;
  EXPECT_EQ(Object::parse(current.body).value()["/spec/dimensions"], "80x200");
  ASSERT_EQ(painted.status, 200) << painted.body;
  ASSERT_EQ(old.status, 200) << old.body;
  EXPECT_EQ(Object::parse(old.body).value()["/apiVersion"], "example.com/v1");
  EXPECT_EQ(Object::parse(old.body).value()["/spec"].print(), R"({"size":"80x200"})");
  EXPECT_THAT(list.body, HasSubstr(R"("size":"80x200")"));
  manager.stop();
}

TEST_F(ManagerConversionsTest, FieldsThatAVersionCannotRepresentAreKeptInTheAnnotation) {
  Manager& manager = make(in_shop_);
  manager.add(door_controller());
  ASSERT_TRUE(manager.start());
  const std::string ca = authority_in(installed());
  const std::string door = R"({"apiVersion":"example.com/v2","kind":"Door","metadata":{"name":"a","namespace":"shop"},)"
                           R"("spec":{"dimensions":"80x200","colour":"red"}})";

  const auto old = convert(ca, door_review("v1", door));
  ASSERT_TRUE(old) << old.error().to_string();
  const json::Value spoke = *json::find(json::parse(old->body).value(), "/response/convertedObjects/0");
  EXPECT_THAT(Object(spoke).annotation(conversion_annotation), HasSubstr("red"));
  const auto back = convert(ca, door_review("v2", json::print(spoke)));
  ASSERT_TRUE(back);
  EXPECT_EQ(*json::find(json::parse(back->body).value(), "/response/convertedObjects/0"), json::parse(door).value());
  manager.stop();
}

TEST_F(ManagerConversionsTest, AnAddedConversionNeedsNoController) {
  Manager& manager = make(in_shop_);
  manager.add(Door::versions::conversion());
  const auto started = manager.start();
  ASSERT_TRUE(started) << started.error().to_string();
  EXPECT_EQ(installed()["/spec/conversion/webhook/clientConfig/service/path"], "/convert");
  EXPECT_EQ(failed_conversions(authority_in(installed())), "");
  EXPECT_EQ(converted_by_the_api_server(), R"({"dimensions":"80x200","colour":""})");
  manager.stop();
}

// The API server calls the webhook as soon as the CRD refers to it, and the caches read through it.
class CrdNeedsServer final : public http::Handler {
 public:
  explicit CrdNeedsServer(http::Handler& server) : server_(server) {}
  http::Response handle(const http::Request& request) override {
    if (request.method == "POST" && request.target.starts_with(crds_path)) {
      order.emplace_back(is_listening() ? "crd" : "crd before the webhook listens");
    }
    if (request.target.find("/doors") != std::string::npos && request.target.find("watch") != std::string::npos) {
      order.emplace_back("watch");
    }
    if (request.method == "POST" && request.target.find("/secrets") != std::string::npos) {
      order.emplace_back("certificate");
    }
    return server_.handle(request);
  }
  std::function<bool()> is_listening;
  std::vector<std::string> order;

 private:
  http::Handler& server_;
};

// The operator is not ready before its certificate exists, the webhook listens and the caches are synced (trap 82).
TEST_F(ManagerConversionsTest, InstallsTheClauseAfterItListensAndFillsTheCachesAfterwards) {
  CrdNeedsServer ordered(server_);
  bool was_ready = false;
  ordered.is_listening = [&] {
    was_ready = was_ready || manager_->is_ready();
    return !manager_->webhook_listen_address().empty();
  };
  ManagerOptions with = options(in_shop_);
  with.transport = std::make_shared<http::InProcessTransport>(*executor_, ordered);
  Manager& manager = manager_.emplace(std::move(with));
  manager.add(door_controller());
  EXPECT_FALSE(manager.is_ready());

  ASSERT_TRUE(manager.start());

  EXPECT_FALSE(was_ready);
  EXPECT_TRUE(manager.is_ready());
  ordered.order.resize(3);
  EXPECT_THAT(ordered.order, ::testing::ElementsAre("certificate", "crd", "watch"));
  manager.stop();
}

// At the stop, readiness ends first, then the reconciles end, and the webhooks last, because the last writes of
// reconciles need them (trap 82).
TEST_F(ManagerConversionsTest, ServesConversionsUntilTheLastReconcileHasEnded) {
  bool was_ready = true;
  std::string converted;
  Manager& manager = make(in_shop_);
  Controller<Door> controller = door_controller();
  controller.reconcile = [&](const Door&, Context& context) -> Outcome {
    manager.request_stop();
    was_ready = manager.is_ready();
    while (!context.stop_token().stop_requested()) executor_->sleep_for(1ms, context.stop_token());
    const auto response = convert(authority_in(installed()), door_review("v2", old_door));
    converted = response ? response->body : response.error().to_string();
    return done;
  };
  manager.add(std::move(controller));
  ASSERT_TRUE(manager.start());
  const http::Response made = call("POST", "/apis/example.com/v2/namespaces/shop/doors",
                                   R"({"apiVersion":"example.com/v2","kind":"Door","metadata":{"name":"a"}})");
  ASSERT_EQ(made.status, 201) << made.body;
  ASSERT_TRUE(manager.wait());
  const std::string ca = authority_in(installed());

  manager.stop();

  EXPECT_FALSE(was_ready);
  EXPECT_THAT(converted, HasSubstr(R"("status":"Success")"));
  EXPECT_FALSE(convert(ca, door_review("v2", old_door)));
}

TEST_F(ManagerConversionsTest, OnlyTheFirstStartThatUpgradesWritesTheClause) {
  json::Value plain = crd_of<Door>();
  json::erase(plain, "/spec/conversion");
  ASSERT_TRUE(json::set(plain, "/metadata/annotations", json::object{{"pintle.dev/manager", "op"}}));
  ASSERT_EQ(call("POST", std::string(crds_path), json::print(plain)).status, 201);

  EXPECT_EQ(crd_writes_of_a_start(in_shop_, CrdPolicy::if_missing), 0);
  EXPECT_EQ(installed()["/spec/conversion/strategy"], "None");
  EXPECT_TRUE(log_->has("the installed CRD does not refer to the conversion webhook of this operator"));

  EXPECT_EQ(crd_writes_of_a_start(in_shop_, CrdPolicy::upgrade), 1);
  const Object upgraded = installed();
  EXPECT_EQ(upgraded["/spec/conversion/strategy"], "Webhook");
  EXPECT_NE(authority_in(upgraded), "");

  EXPECT_EQ(crd_writes_of_a_start(in_shop_, CrdPolicy::upgrade), 0);
  EXPECT_EQ(installed(), upgraded);
}

// The Secret has a certificate and not its authority, so another program sets the caBundle.
TEST_F(ManagerConversionsTest, AnUpgradeKeepsTheAuthorityThatAnotherProgramHasSet) {
  const auto pair = http::make_self_signed_key_pair("test", "op.shop.svc", executor_->wall_now());
  ASSERT_TRUE(pair);
  const json::Value secret{
      {"metadata", {{"name", "given"}}},
      {"data",
       {{"tls.crt", Bytes(pair->server.certificate).to_base64()}, {"tls.key", Bytes(pair->server.key).to_base64()}}}};
  ASSERT_EQ(call("POST", "/api/v1/namespaces/shop/secrets", json::print(secret)).status, 201);
  const WebhookOptions given{.listen = "127.0.0.1:0", .foreign_secret = "given", .service_namespace = "shop"};
  EXPECT_EQ(crd_writes_of_a_start(given, CrdPolicy::upgrade, "1.0.0"), 1);
  EXPECT_EQ(authority_in(installed()), "");
  const http::Response set = call("PATCH", std::string(crds_path) + "/" + std::string(door_crd),
                                  R"([{"op":"add","path":"/spec/conversion/webhook/clientConfig/caBundle","value":")" +
                                      Bytes(pair->authority).to_base64() + R"("}])",
                                  "application/json-patch+json");
  ASSERT_EQ(set.status, 200) << set.body;

  EXPECT_EQ(crd_writes_of_a_start(given, CrdPolicy::upgrade, "1.1.0"), 1);

  EXPECT_EQ(installed().annotation("pintle.dev/manager-version"), "1.1.0");
  EXPECT_EQ(authority_in(installed()), pair->authority);
  Manager& manager = make(given);
  manager.add(door_controller());
  ASSERT_TRUE(manager.start());
  EXPECT_EQ(failed_conversions(authority_in(installed())), "");
  manager.stop();
}

// The authority is that of the Secret, which the second start does not replace.
TEST_F(ManagerConversionsTest, AnEditedAuthorityIsSetAgainAtTheStart) {
  Manager& first = make(in_shop_);
  first.add(door_controller());
  ASSERT_TRUE(first.start());
  const std::string right = authority_in(installed());
  ASSERT_NE(right, "");
  first.stop();
  const auto other = http::make_self_signed_key_pair("test", "op.shop.svc", executor_->wall_now());
  ASSERT_TRUE(other);
  const http::Response edited =
      call("PATCH", std::string(crds_path) + "/" + std::string(door_crd),
           R"([{"op":"replace","path":"/spec/conversion/webhook/clientConfig/caBundle","value":")" +
               Bytes(other->authority).to_base64() + R"("}])",
           "application/json-patch+json");
  ASSERT_EQ(edited.status, 200) << edited.body;
  ASSERT_EQ(authority_in(installed()), other->authority);

  Manager& second = make(in_shop_);
  second.add(door_controller());
  ASSERT_TRUE(second.start());

  EXPECT_EQ(authority_in(installed()), right);
  second.stop();
}

// Each start generates a certificate, and the CRD still has the authority of the previous one.
TEST_F(ManagerConversionsTest, AGeneratedAuthorityReplacesThePreviousOne) {
  const WebhookOptions outside{.listen = "127.0.0.1:0", .url = "https://127.0.0.1:9443"};
  std::string previous;
  for (int start = 0; start < 2; ++start) {
    Manager& manager = make(outside);
    manager.add(door_controller());
    const auto started = manager.start();
    ASSERT_TRUE(started) << started.error().to_string();
    EXPECT_EQ(installed()["/spec/conversion/webhook/clientConfig/url"], "https://127.0.0.1:9443/convert");
    const std::string authority = authority_in(installed());
    EXPECT_EQ(failed_conversions(authority, "127.0.0.1"), "") << "the installed authority verifies the server";
    if (start > 0) {
      EXPECT_FALSE(convert(previous, door_review("v2", old_door), "127.0.0.1"));
      EXPECT_THAT(authority, Not(HasSubstr(previous)));
    }
    previous = authority;
    manager.stop();
  }
}

TEST_F(ManagerConversionsTest, ADeletedCrdIsRestoredWithTheClause) {
  Manager& manager = make(in_shop_);
  manager.add(door_controller());
  ASSERT_TRUE(manager.start());
  const Object before = installed();
  ASSERT_EQ(call("DELETE", std::string(crds_path) + "/" + std::string(door_crd)).status, 200);

  ASSERT_TRUE(wait_until([&] {
    const Object found = installed();
    return found && found.uid() != before.uid();
  }));

  const Object restored = installed();
  EXPECT_EQ(restored["/spec"].print(), before["/spec"].print());
  EXPECT_EQ(restored.annotation("pintle.dev/manager"), "op");
  EXPECT_EQ(failed_conversions(authority_in(restored)), "");
  EXPECT_EQ(converted_by_the_api_server(), R"({"dimensions":"80x200","colour":""})");
  manager.stop();
}

TEST_F(ManagerConversionsTest, WithoutACrdPolicyAndAnAddressAnotherProgramConverts) {
  const json::Value crd = Door::versions::crd({.url = "https://other"});
  ASSERT_EQ(call("POST", std::string(crds_path), json::print(crd)).status, 201);
  // The server establishes the CRD in the background.
  ASSERT_TRUE(wait_until([&] { return call("GET", "/apis/example.com/v2/doors").status == 200; }));
  Manager& manager = make({}, CrdPolicy::never);
  manager.add(door_controller());
  const auto started = manager.start();
  ASSERT_TRUE(started) << started.error().to_string();
  EXPECT_EQ(manager.webhook_listen_address(), "");
  EXPECT_EQ(installed()["/spec/conversion/webhook/clientConfig"].print(), R"({"url":"https://other"})");
  manager.stop();
}

TEST_F(ManagerConversionsTest, NeedsAnAddress) {
  Manager& manager = make({});
  manager.add(door_controller());
  const auto started = manager.start();
  ASSERT_FALSE(started);
  EXPECT_THAT(started.error().to_string(), HasSubstr("set --webhook-listen HOST:PORT"));
  EXPECT_FALSE(installed());
}

TEST_F(ManagerConversionsTest, DeclarationErrorsPreventTheStart) {
  EXPECT_THAT(error_with([](Manager& manager) {
                AnyConversion conversion = door_conversion();
                conversion.versions.push_back("v3");
                manager.add(std::move(conversion));
              }),
              HasSubstr("has version v3, which no struct declares in the CRD doors.example.com; add its struct"));
  EXPECT_THAT(error_with([](Manager& manager) {
                AnyConversion other = door_conversion();
                other.kind.version = "v1";
                other.crd.reset();
                manager.add(Door::versions::conversion());
                manager.add(std::move(other));
              }),
              HasSubstr("example.com Door has two hubs: v2 (Manager::add()) and v1 (Manager::add()); list all"));
  EXPECT_THAT(installed(), Object());
}

TEST_F(ManagerConversionsTest, AnotherClusterNeedsAUrlAndACertificateThatIsNotInASecret) {
  const auto errors_with = [&](WebhookOptions webhooks) {
    ManagerOptions with = options(std::move(webhooks));
    with.clusters = {{.name = "west", .kubeconfig = "/no/such/file"}};
    Manager manager(std::move(with));
    Controller<Door> controller = door_controller();
    controller.cluster = "west";
    manager.add(std::move(controller));
    return manager.start().error().to_string();
  };
  const std::string expected =
      "the API server of cluster west must convert example.com/v2 Door, but cannot reach the "
      "service of the webhooks; set --webhook-url";
  EXPECT_THAT(errors_with(in_shop_), HasSubstr(expected));
  EXPECT_THAT(errors_with({.listen = "127.0.0.1:0", .secret = "a", .url = "https://a:1"}), HasSubstr(expected));
  EXPECT_THAT(errors_with({.listen = "127.0.0.1:0", .url = "https://a:1"}), Not(HasSubstr("cluster west must")));
}

TEST_F(ManagerConversionsTest, PrintsTheRuleToPatchTheCrdOfAnotherCluster) {
  for (const CrdPolicy policy : {CrdPolicy::never, CrdPolicy::if_missing}) {
    ManagerOptions with = options(
        {.listen = "127.0.0.1:0", .certificate_file = "a", .key_file = "b", .ca_file = "c", .url = "https://a:1"},
        policy);
    with.clusters = {{.name = "west", .kubeconfig = "/no/such/file"}};
    Manager manager(std::move(with));
    Controller<Door> controller = door_controller();
    controller.cluster = "west";
    manager.add(std::move(controller));
    std::vector<RbacRule> rules;
    for (const RbacRole& role : manager.roles()) {
      if (role.cluster == "west") rules.insert(rules.end(), role.rules.begin(), role.rules.end());
    }
    EXPECT_THAT(rules,
                Contains(RbacRule{
                    "apiextensions.k8s.io", "customresourcedefinitions", {"get", "patch"}, {"doors.example.com"}}));
  }
}

TEST(ManagerConversionsSimulation, ServesNoneAndInstallsNoClause) {
  testkit::Simulation simulation{{.seed = 3}};
  Manager manager({.name = "op",
                   .log_level = LogLevel::off,
                   .executor = &simulation.executor(),
                   .transport = simulation.connect()});
  manager.add(door_controller());
  const auto started = manager.start();
  ASSERT_TRUE(started) << started.error().to_string();
  EXPECT_EQ(simulation.server().objects(std::string(crds)).at(0)["/spec/conversion/strategy"], "None");
  manager.stop();
}

TEST_F(ManagerConversionsTest, PrintsTheCrdWithTheClause) {
  Manager& unknown = make({});
  unknown.add(door_controller());
  const auto missing = unknown.print_crds();
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error().to_string(), HasSubstr("set --webhook-service-namespace"));

  Manager& manager = make({.service_namespace = "shop"});
  manager.add(door_controller());
  manager.add(Door::versions::conversion());
  const std::string printed = manager.print_crds().value();
  EXPECT_THAT(printed, HasSubstr("strategy: Webhook"));
  EXPECT_THAT(printed, HasSubstr("path: /convert"));
  EXPECT_THAT(printed, HasSubstr("namespace: shop"));
  EXPECT_EQ(printed.find("kind: CustomResourceDefinition"), printed.rfind("kind: CustomResourceDefinition"));
}

TEST_F(ManagerConversionsTest, PrintsTheRulesToInstallTheCrdAndToPatchItByName) {
  const auto rules_with = [&](CrdPolicy policy, WebhookOptions webhooks) {
    Manager& manager = make(std::move(webhooks), policy);
    manager.add(Door::versions::conversion());
    std::vector<RbacRule> rules;
    for (const RbacRole& role : manager.roles()) {
      rules.insert(rules.end(), role.rules.begin(), role.rules.end());
    }
    return rules;
  };
  const std::string group = "apiextensions.k8s.io";
  const std::string resource = "customresourcedefinitions";
  const std::vector<std::string> names{"doors.example.com"};
  const auto usual = rules_with(CrdPolicy::if_missing, in_shop_);
  EXPECT_THAT(usual, Contains(RbacRule{group, resource, {"create"}}));
  EXPECT_THAT(usual, Contains(RbacRule{group, resource, {"get", "patch"}, names}));
  EXPECT_THAT(usual, Contains(RbacRule{"", "secrets", {"get", "update"}, {"op-webhooks"}}));
  EXPECT_THAT(rules_with(CrdPolicy::upgrade, in_shop_),
              Contains(RbacRule{group, resource, {"get", "patch", "update"}, names}));
  const auto passive = rules_with(CrdPolicy::never, in_shop_);
  EXPECT_THAT(passive, Contains(RbacRule{group, resource, {"get", "patch"}, names})) << "for the caBundle";
  EXPECT_THAT(passive, Not(Contains(RbacRule{group, resource, {"create"}})));
  EXPECT_THAT(rules_with(CrdPolicy::never, {.listen = ":1", .certificate_file = "a", .key_file = "b"}), IsEmpty());
}

}  // namespace
}  // namespace pintle
