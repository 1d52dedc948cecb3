// SPDX-License-Identifier: Apache-2.0
// The credentials of a client: which are sent, when a plugin runs, and which requests wait for it.
#include "credentials.hpp"

#include <memory>
#include <string>
#include <vector>

#include <pintle/http/certificates.hpp>
#include <pintle/sim/simulated_programs.hpp>

#include "client/client_test_support.hpp"
#include "kubeconfig_test_support.hpp"

namespace pintle {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::string exec_v1 = "client.authentication.k8s.io/v1";

http::KeyPair pair_named(const std::string& name) {
  return http::make_authority({.common_name = name, .not_before = WallTime(), .not_after = WallTime::max()}).value();
}

std::string header_of(const ScriptedServer::ReceivedRequest& one, const char* name) {
  return std::string(one.request.headers.get(name).value_or("none"));
}

std::vector<std::string> headers_of(ScriptedServer& server, const char* name) {
  std::vector<std::string> values;
  for (const auto& one : server.requests()) values.push_back(header_of(one, name));
  return values;
}

// Keeps what an exchange returned.
class EndRecorder final : public http::ExchangeHandler {
 public:
  void on_head(const http::ResponseHead& head) override { status = head.status; }
  void on_body(std::string_view) override {}
  void on_end(Result<void> result) override {
    ++ends;
    end = std::move(result);
  }
  int status = 0;
  int ends = 0;
  std::optional<Result<void>> end;
};

// A stream that does not end by itself.
class EndlessStream final : public http::BodyStream {
 public:
  State read(std::string&) override { return State::waiting; }
  void on_ready(std::function<void()>) override {}
};

// A client whose plugin "login" prints the token tN, or the certificate N, at its N-th run.
class CredentialsTest : public ::testing::Test {
 protected:
  CredentialsTest() {
    programs_->add("login", [this](const ProgramCall&) { return run_plugin(); });
  }
  ~CredentialsTest() override { transport_->stop(); }

  SimulatedPrograms::Run run_plugin() {
    ++runs_;
    json::object status;
    if (certificates_.empty()) {
      status["token"] = "t" + std::to_string(runs_);
    } else {
      const http::KeyPair& pair = certificates_.at(static_cast<std::size_t>(runs_ - 1));
      status["clientCertificateData"] = pair.certificate;
      status["clientKeyData"] = pair.key;
    }
    if (lifetime_) status["expirationTimestamp"] = format_time(executor_.wall_now() + *lifetime_);
    const json::object printed{{"kind", "ExecCredential"}, {"apiVersion", exec_v1}, {"status", std::move(status)}};
    return {.result = {.status = is_broken_ ? 1 : 0, .output = json::print(printed)}, .takes = seconds(2)};
  }
  ClientOptions options(Cluster cluster) {
    return {
        .transport = transport_, .cluster = std::move(cluster), .log = Log(sink_, executor_), .programs = programs_};
  }
  static Cluster with_plugin() {
    return {.origin = "context dev of F",
            .exec = std::make_shared<const ExecPlugin>(ExecPlugin{.api_version = exec_v1, .command = "login"})};
  }
  void respond(int times) {
    for (int i = 0; i < times; ++i) server_.then([] { return config_map_response(); });
  }
  static Resource config_maps() { return {.kind = config_map, .plural = "configmaps", .namespaced = true}; }

  SimulatedExecutor executor_;
  ScriptedServer server_{executor_};
  std::shared_ptr<LineSink> sink_ = std::make_shared<LineSink>(executor_);
  std::shared_ptr<http::InProcessTransport> transport_ = std::make_shared<http::InProcessTransport>(executor_, server_);
  std::shared_ptr<SimulatedPrograms> programs_ = std::make_shared<SimulatedPrograms>(executor_);
  int runs_ = 0;
  std::optional<Duration> lifetime_;
  std::vector<http::KeyPair> certificates_;
  bool is_broken_ = false;
};

// The output of a plugin is cached until it expires (trap 47).
TEST_F(CredentialsTest, RunAPluginOnceUntilItsTokenExpires) {
  lifetime_ = hours(1);
  Client client(options(with_plugin()));
  respond(3);

  ASSERT_TRUE(client.get(config_map, key_a));
  ASSERT_TRUE(client.get(config_map, key_a));
  EXPECT_EQ(runs_, 1);
  executor_.sleep_for(hours(2));
  ASSERT_TRUE(client.get(config_map, key_a));

  EXPECT_THAT(headers_of(server_, "Authorization"), ElementsAre("Bearer t1", "Bearer t1", "Bearer t2"));
}

// One run at a time, for all threads and all clients that share the credentials (trap 47).
TEST_F(CredentialsTest, RunAPluginOnceForAllClients) {
  ClientOptions first = options(with_plugin());
  first.credentials = make_credentials(first);
  Client one(first);
  Client other(first);
  respond(6);
  {
    std::vector<Thread> threads;
    for (Client* client : {&one, &other, &one, &other, &one, &other}) {
      threads.push_back(executor_.spawn({.name = "worker"}, [client] { EXPECT_TRUE(client->get(config_map, key_a)); }));
    }
  }

  EXPECT_EQ(runs_, 1);
  EXPECT_EQ(programs_->max_running(), 1U);
  EXPECT_EQ(server_.requests().size(), 6U);
}

// A plugin runs again after a 401, once for a request (trap 47).
TEST_F(CredentialsTest, RunAPluginAgainAfterA401) {
  Client client(options(with_plugin()));
  ASSERT_TRUE(client.resource(config_map));
  server_.then([] { return status_response(401, "Unauthorized"); });
  respond(1);

  EXPECT_TRUE(client.get(config_map, key_a));

  EXPECT_THAT(headers_of(server_, "Authorization"), ElementsAre("Bearer t1", "Bearer t2"));

  for (int i = 0; i < 3; ++i) server_.then([] { return status_response(401, "Unauthorized"); });
  const auto refused = client.get(config_map, key_a);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("rejects the credential from plugin login of context dev of F"));
  EXPECT_LE(server_.requests().size(), 4U);
}

// The names and labels of client-go.
TEST_F(CredentialsTest, CountTheRunsOfAPlugin) {
  MetricsRegistry metrics;
  const auto runs_with = [&](const char* code, const char* status) {
    return metrics.counter("rest_client_exec_plugin_call_total", "", {{"code", code}, {"call_status", status}}).value();
  };
  lifetime_ = hours(1);
  const WallTime now = executor_.wall_now();
  const auto from = [](WallTime begin) {
    return http::make_authority({.common_name = "a", .not_before = begin, .not_after = WallTime::max()}).value();
  };
  certificates_ = {from(now - hours(48)), from(now)};
  respond(2);
  {
    ClientOptions with_metrics = options(with_plugin());
    with_metrics.metrics = &metrics;
    Client client(with_metrics);
    ASSERT_TRUE(client.get(config_map, key_a));
    EXPECT_EQ(metrics.text().find("certificate_rotation_age"), std::string::npos) << "nothing was replaced yet";
    executor_.sleep_for(hours(2));
    ASSERT_TRUE(client.get(config_map, key_a));
    EXPECT_EQ(runs_with("0", "no_error"), 2);
    const std::string text = metrics.text();
    EXPECT_THAT(text, HasSubstr("rest_client_exec_plugin_certificate_rotation_age_bucket{le=\"86400\"} 0"));
    EXPECT_THAT(text, HasSubstr("rest_client_exec_plugin_certificate_rotation_age_bucket{le=\"604800\"} 1"));
  }
  const auto fail_once = [&](const char* command) {
    ClientOptions broken =
        options({.exec = std::make_shared<const ExecPlugin>(ExecPlugin{.api_version = exec_v1, .command = command})});
    broken.metrics = &metrics;
    EXPECT_FALSE(Client(broken).get(config_map, key_a));
  };
  certificates_.clear();
  is_broken_ = true;
  fail_once("login");
  EXPECT_EQ(runs_with("1", "plugin_execution_error"), 1);
  fail_once("missing");
  EXPECT_EQ(runs_with("1", "plugin_not_found_error"), 1);
}

TEST_F(CredentialsTest, FailARequestIfThePluginFails) {
  is_broken_ = true;
  Client client(options(with_plugin()));

  const auto failed = client.get(config_map, key_a);

  ASSERT_FALSE(failed);
  EXPECT_THAT(failed.error().message, AllOf(HasSubstr("credential plugin login of context dev of F gave no credential"),
                                            HasSubstr("it is tried again in 1s")));
  EXPECT_TRUE(server_.discoveries().empty()) << "a request was sent without credentials";
}

// The cache starts requests on the I/O thread, which must not wait for a plugin.
TEST_F(CredentialsTest, LetAStartedRequestWaitWithoutBlocking) {
  Client client(options(with_plugin()));
  respond(1);
  const auto handler = std::make_shared<EndRecorder>();
  Instant returned{};
  client.transport().post([&] {
    client.transport().start(client.list_request(config_maps(), {}), handler);
    returned = executor_.now();
  });
  const Instant begun = executor_.now();
  executor_.sleep_for(seconds(1));
  EXPECT_EQ(returned, begun);
  EXPECT_EQ(handler->ends, 0);

  executor_.sleep_for(seconds(2));

  EXPECT_EQ(handler->status, 200);
  EXPECT_EQ(handler->ends, 1);
  EXPECT_THAT(headers_of(server_, "Authorization"), ElementsAre("Bearer t1"));
}

TEST_F(CredentialsTest, EndAWaitingRequestThatIsCancelled) {
  Client client(options(with_plugin()));
  const auto handler = std::make_shared<EndRecorder>();
  const auto exchange = client.transport().start(client.list_request(config_maps(), {}), handler);

  client.transport().cancel(exchange);
  executor_.sleep_for(seconds(10));

  ASSERT_EQ(handler->ends, 1);
  EXPECT_EQ(handler->end->error().code, ErrorCode::cancelled);
  EXPECT_TRUE(server_.requests().empty());
}

TEST_F(CredentialsTest, EndAWaitingRequestWithTheErrorOfThePlugin) {
  is_broken_ = true;
  Client client(options(with_plugin()));
  const auto handler = std::make_shared<EndRecorder>();
  client.transport().start(client.list_request(config_maps(), {}), handler);
  executor_.sleep_for(seconds(10));

  ASSERT_EQ(handler->ends, 1);
  EXPECT_THAT(handler->end->error().message, HasSubstr("it ended with status 1"));
}

TEST_F(CredentialsTest, EndWaitingRequestsWithTheirClient) {
  const auto handler = std::make_shared<EndRecorder>();
  {
    Client client(options(with_plugin()));
    client.transport().start(client.list_request(config_maps(), {}), handler);
    executor_.sleep_for(seconds(1));
  }
  executor_.sleep_for(seconds(10));

  ASSERT_EQ(handler->ends, 1);
  EXPECT_EQ(handler->end->error().code, ErrorCode::cancelled);
}

// If a plugin returns another client certificate, connections with the old one are closed: a request with another
// certificate uses another connection, and a watch, which would keep its connection, ends (trap 47).
TEST_F(CredentialsTest, EndWatchesWhenThePluginReturnsAnotherCertificate) {
  lifetime_ = hours(1);
  certificates_ = {pair_named("one"), pair_named("one again"), pair_named("three")};
  certificates_[1] = certificates_[0];
  Client client(options(with_plugin()));
  std::vector<std::string> used;
  const auto see = [&](const http::Request& request) { used.push_back(request.endpoint->client_certificate); };
  const auto answer = [&](const http::Request& request) {
    see(request);
    return config_map_response();
  };
  server_.then([&](const http::Request& request) {
    see(request);
    return http::Response{.stream = std::make_unique<EndlessStream>()};
  });
  for (int i = 0; i < 3; ++i) server_.then(answer);
  const auto watch = std::make_shared<EndRecorder>();
  client.transport().start(client.watch_request(config_maps(), {.timeout = hours(5)}), watch);
  executor_.sleep_for(minutes(1));
  ASSERT_TRUE(client.get(config_map, key_a));

  executor_.sleep_for(hours(2));
  ASSERT_TRUE(client.get(config_map, key_a));
  executor_.sleep_for(seconds(1));
  EXPECT_EQ(watch->ends, 0) << "the second run returned the same certificate";
  executor_.sleep_for(hours(2));
  ASSERT_TRUE(client.get(config_map, key_a));
  executor_.sleep_for(seconds(1));

  ASSERT_EQ(watch->ends, 1);
  EXPECT_TRUE(watch->end->has_value()) << "as if the server had ended it";
  EXPECT_THAT(used, ElementsAre(certificates_[0].certificate, certificates_[0].certificate,
                                certificates_[0].certificate, certificates_[2].certificate));
}

// Without uid and extra, the privileges would silently differ (trap 48). A key may contain any characters.
TEST_F(CredentialsTest, ContainAllPartsOfAnImpersonation) {
  Client client(options({.token = "t",
                         .impersonation = {.user = "jane",
                                           .uid = "u-1",
                                           .groups = {"dev", "ops"},
                                           .extra = {{"example.com/scope%", {"a", "b"}}, {"Reason", {"x"}}}}}));
  server_.then([] { return status_response(401, "Unauthorized"); });

  ASSERT_FALSE(client.get(config_map, key_a));

  const http::Headers headers = server_.requests().at(0).request.headers;
  EXPECT_EQ(headers.get("Authorization"), "Bearer t");
  EXPECT_THAT(headers.get_all("Impersonate-User"), ElementsAre("jane"));
  EXPECT_THAT(headers.get_all("Impersonate-Uid"), ElementsAre("u-1"));
  EXPECT_THAT(headers.get_all("Impersonate-Group"), ElementsAre("dev", "ops"));
  EXPECT_THAT(headers.get_all("Impersonate-Extra-example.com%2Fscope%25"), ElementsAre("a", "b"));
  EXPECT_THAT(headers.get_all("Impersonate-Extra-Reason"), ElementsAre("x"));
}

TEST_F(CredentialsTest, RepeatARequestWithTheSameImpersonation) {
  Client client(options({.impersonation = {.user = "jane", .groups = {"dev", "ops"}}}));
  server_.then([] { return too_many("1"); });
  respond(1);

  ASSERT_TRUE(client.get(config_map, key_a));

  EXPECT_THAT(server_.requests().at(1).request.headers.get_all("Impersonate-Group"), ElementsAre("dev", "ops"));
}

TEST_F(CredentialsTest, ContainAUserNameAndPassword) {
  Client client(options({.username = "jane", .password = "pass:word"}));
  respond(1);

  ASSERT_TRUE(client.get(config_map, key_a));

  EXPECT_THAT(headers_of(server_, "Authorization"), ElementsAre("Basic amFuZTpwYXNzOndvcmQ="));
}

TEST_F(CredentialsTest, PreferATokenToAPlugin) {
  Cluster cluster = with_plugin();
  cluster.token = "mine";
  Client client(options(std::move(cluster)));
  respond(1);

  ASSERT_TRUE(client.get(config_map, key_a));

  EXPECT_THAT(headers_of(server_, "Authorization"), ElementsAre("Bearer mine"));
  EXPECT_EQ(runs_, 0);
}

// The files of a client certificate are replaced one after the other; the pair is used when both fit.
TEST_F(CredentialsTest, ReadCertificatesAgainAfterAMinute) {
  const TemporaryFolder folder;
  const http::KeyPair before = pair_named("before");
  const http::KeyPair later = pair_named("later");
  auto endpoint = std::make_shared<http::Endpoint>();
  endpoint->ca = before.certificate;
  endpoint->client_certificate = before.certificate;
  endpoint->client_key = before.key;
  Client client(options({.endpoint = endpoint,
                         .ca_file = folder.write("ca.crt", before.certificate),
                         .client_certificate_file = folder.write("me.crt", before.certificate),
                         .client_key_file = folder.write("me.key", before.key)}));
  std::vector<std::string> used;
  for (int i = 0; i < 6; ++i) {
    server_.then([&](const http::Request& request) {
      const http::Endpoint& one = *request.endpoint;
      used.push_back(one.client_certificate == before.certificate && one.client_key == before.key ? "before"
                     : one.client_certificate == later.certificate && one.client_key == later.key ? "later"
                                                                                                  : "mixed");
      if (one.ca == later.certificate) used.back() += "+ca";
      return config_map_response();
    });
  }
  ASSERT_TRUE(client.get(config_map, key_a));

  folder.write("me.crt", later.certificate);
  executor_.sleep_for(minutes(1));
  ASSERT_TRUE(client.get(config_map, key_a));
  folder.write("me.key", later.key);
  executor_.sleep_for(seconds(5));
  ASSERT_TRUE(client.get(config_map, key_a));
  folder.write("ca.crt", "rubbish");
  executor_.sleep_for(minutes(1));
  ASSERT_TRUE(client.get(config_map, key_a));
  folder.write("ca.crt", later.certificate);
  executor_.sleep_for(seconds(5));
  ASSERT_TRUE(client.get(config_map, key_a));

  EXPECT_THAT(used, ElementsAre("before", "before", "later", "later", "later+ca"));
  EXPECT_THAT(sink_->lines(),
              ElementsAre(HasSubstr("cannot be read"), HasSubstr("have changed"),
                          AllOf(HasSubstr("cannot be read"), HasSubstr("ca.crt")), HasSubstr("have changed")));
}

TEST_F(CredentialsTest, OfAKubeconfigAreReadAgainFromItsFiles) {
  const TemporaryFolder folder;
  const auto write = [&](const http::KeyPair& pair) {
    folder.write("ca.crt", pair.certificate);
    folder.write("me.crt", pair.certificate);
    folder.write("me.key", pair.key);
  };
  write(pair_named("before"));
  const http::KeyPair later = pair_named("later");
  const auto cluster = load_kubeconfig(
      folder.write("config", kubeconfig_samples::config_with("server: \"https://a\", certificate-authority: ca.crt",
                                                             "client-certificate: me.crt, client-key: me.key")));
  ASSERT_TRUE(cluster) << cluster.error().message;
  Client client(options(*cluster));
  respond(2);
  ASSERT_TRUE(client.get(config_map, key_a));

  write(later);
  executor_.sleep_for(minutes(1));
  ASSERT_TRUE(client.get(config_map, key_a));

  const http::Endpoint used = *server_.requests().back().request.endpoint;
  EXPECT_EQ(used.ca, later.certificate);
  EXPECT_EQ(used.client_certificate, later.certificate);
  EXPECT_EQ(used.client_key, later.key);
}

TEST_F(CredentialsTest, OfAPodAreReadAgainFromItsServiceAccount) {
  const ScopedVariable host("KUBERNETES_SERVICE_HOST", "10.0.0.1");
  const ScopedVariable port("KUBERNETES_SERVICE_PORT", "443");
  const TemporaryFolder root;
  const std::string account = "var/run/secrets/kubernetes.io/serviceaccount/";
  root.write(account + "ca.crt", pair_named("before").certificate);
  root.write(account + "token", "old");
  const http::KeyPair later = pair_named("later");
  const auto cluster = load_in_cluster(root.path("."));
  ASSERT_TRUE(cluster) << cluster.error().message;
  Client client(options(*cluster));
  respond(2);
  ASSERT_TRUE(client.get(config_map, key_a));

  root.write(account + "ca.crt", later.certificate);
  root.write(account + "token", "new");
  executor_.sleep_for(minutes(1));
  ASSERT_TRUE(client.get(config_map, key_a));

  EXPECT_EQ(server_.requests().back().request.endpoint->ca, later.certificate);
  EXPECT_THAT(headers_of(server_, "Authorization"), ElementsAre("Bearer old", "Bearer new"));
}

}  // namespace
}  // namespace pintle
