#include <gmock/gmock.h>

#include <pintle/http/listen_address.hpp>
#include <pintle/http/net_transport.hpp>
#include <pintle/json/pointer.hpp>
#include <pintle/manager/manager.hpp>
#include <pintle/object/bytes.hpp>

#include "controller/test_support.hpp"

namespace pintle {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::string_view configurations = "validatingwebhookconfigurations.admissionregistration.k8s.io";
constexpr std::string_view config_map_review =
    R"({"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{"uid":"u-3","operation":"CREATE",)"
    R"("kind":{"group":"","version":"v1","kind":"ConfigMap"},"object":{"apiVersion":"v1","kind":"ConfigMap"}}})";

Admission<Object> refuse_all(FailurePolicy policy = FailurePolicy::ignore) {
  return {.kind = {"v1", "ConfigMap"},
          .validate = [](const Object&, const AdmissionContext&) { return denied("no config maps"); },
          .failure_policy = policy};
}

// A manager in a real process, because the webhooks are served on a socket.
class ManagerWebhooksTest : public ::testing::Test {
 protected:
  Manager& make(WebhookOptions webhooks) {
    manager_.emplace(ManagerOptions{.name = "op",
                                    .log_level = LogLevel::off,
                                    .executor = executor_.get(),
                                    .transport = std::make_shared<http::InProcessTransport>(*executor_, server_),
                                    .webhooks = std::move(webhooks)});
    return *manager_;
  }
  Result<http::BufferedResponse> call(const std::string& ca) {
    const auto address = http::parse_listen_address(manager_->webhook_listen_address()).value();
    const auto transport = http::make_network_transport(*executor_);
    return http::send(*transport, {.method = "POST",
                                   .target = "/validate/configmap",
                                   .headers = {{"Content-Type", "application/json"}},
                                   .body = std::string(config_map_review),
                                   .endpoint = std::make_shared<http::Endpoint>(http::Endpoint{
                                       .tls = true, .host = address.host, .port = address.port, .ca = ca})});
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

TEST_F(ManagerWebhooksTest, PrintsItsConfigurations) {
  Manager& unknown = make({});
  unknown.add(refuse_all());
  EXPECT_THAT(unknown.print_webhooks().error().message, HasSubstr("--webhook-service-namespace"));

  Manager& manager = make({.service_namespace = "shop"});
  manager.add(refuse_all());
  EXPECT_THAT(manager.print_webhooks().value(), HasSubstr("kind: ValidatingWebhookConfiguration"));
}

TEST_F(ManagerWebhooksTest, PrintsTheRulesToInstallThem) {
  Manager& manager = make({});
  manager.add(refuse_all());
  const auto roles = manager.roles();
  ASSERT_EQ(roles.size(), 1U);
  const std::string group = "admissionregistration.k8s.io";
  const std::string resource = "validatingwebhookconfigurations";
  EXPECT_THAT(roles[0].rules,
              ElementsAre(RbacRule{group, resource, {"create"}}, RbacRule{group, resource, {"get", "update"}, {"op"}}));

  Manager& passive = make({.install = WebhookPolicy::never});
  passive.add(refuse_all());
  EXPECT_THAT(passive.roles(), IsEmpty());
}

}  // namespace
}  // namespace pintle
