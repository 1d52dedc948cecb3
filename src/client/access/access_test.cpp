// SPDX-License-Identifier: Apache-2.0
// From a kubeconfig on disk to a server on a socket, with the error message for each part that can be wrong.
#include <chrono>
#include <filesystem>
#include <memory>
#include <string>

#include <pintle/base/file.hpp>
#include <pintle/client/client.hpp>
#include <pintle/http/certificates.hpp>
#include <pintle/http/net_transport.hpp>
#include <pintle/http/server.hpp>
#include <pintle/json/value.hpp>

#include "client/test_support.hpp"

namespace pintle {
namespace {

using std::chrono::hours;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

const ObjectKey of_a{"default", "a"};

// Responds with 401 to requests without the token; an empty token admits all requests. Client certificates are checked
// by the TLS server.
class Guard final : public http::Handler {
 public:
  Guard(Executor& executor, std::string token) : behind_(executor), token_(std::move(token)) {
    for (int i = 0; i < 10; ++i) behind_.then([] { return config_map_response(); });
  }
  http::Response handle(const http::Request& request) override {
    const bool accepts = token_.empty() || request.headers.get("Authorization") == "Bearer " + token_;
    return accepts ? behind_.handle(request) : status_response(401, "Unauthorized");
  }

 private:
  ScriptedServer behind_;
  const std::string token_;
};

class Access : public ::testing::Test {
 protected:
  void SetUp() override {
    authority_ = make_authority("pintle tests");
    folder_.write("ca.crt", authority_.certificate);
  }

  [[nodiscard]] http::CertificateOptions valid(std::string name, Duration since, Duration until) const {
    const WallTime now = executor_->wall_now();
    return {
        .common_name = std::move(name), .names = {"127.0.0.1"}, .not_before = now + since, .not_after = now + until};
  }
  [[nodiscard]] http::KeyPair make_authority(const std::string& name) const {
    return http::make_authority(valid(name, -hours(48), hours(48))).value();
  }

  void serve(Duration since = -hours(1), Duration until = hours(1), const std::string& client_ca = "") {
    const auto identity = http::make_server_certificate(authority_, valid("server", since, until)).value();
    server_ = std::make_unique<http::Server>(
        *executor_, guard_,
        http::ServerOptions{.certificate = identity.certificate, .key = identity.key, .client_ca = client_ca});
    const auto started = server_->start();
    ASSERT_TRUE(started) << started.error().message;
  }

  // Writes a kubeconfig with these fields of the user and of the cluster, and gets an object with it.
  Result<Object> get_with(const std::string& user, const std::string& cluster = "certificate-authority: ca.crt") {
    const std::string address = "https://127.0.0.1:" + std::to_string(server_->port());
    config_ = folder_.write("config",
                            "current-context: dev\ncontexts: [{name: dev, context: {cluster: c, user: u}}]\n"
                            "clusters: [{name: c, cluster: {server: \"" +
                                address + "\", " + cluster +
                                "}}]\n"
                                "users: [{name: u, user: {" +
                                user + "}}]\n");
    auto found = load_kubeconfig(config_);
    if (!found) return fail(std::move(found.error()));
    Client client({.transport = transport_, .cluster = std::move(*found), .log = Log(sink_, *executor_)});
    auto object = client.get(config_map, of_a);
    if (!object) {
      EXPECT_THAT(object.error().to_string(), Not(HasSubstr("\n")));
      EXPECT_THAT(object.error().to_string(), Not(HasSubstr("secret")));
    }
    return object;
  }
  // Returns the error of `get_with()`.
  std::string failure_with(const std::string& user, const std::string& cluster = "certificate-authority: ca.crt") {
    const auto object = get_with(user, cluster);
    return object ? "it did not fail" : object.error().to_string();
  }

  std::unique_ptr<Executor> executor_ = make_real_executor();
  TemporaryFolder folder_;
  http::KeyPair authority_;
  Guard guard_{*executor_, "secret"};
  std::unique_ptr<http::Server> server_;
  std::shared_ptr<LineSink> sink_ = std::make_shared<LineSink>(*executor_);
  std::shared_ptr<http::Transport> transport_ = http::make_network_transport(*executor_);
  std::string config_;
};

TEST_F(Access, SucceedsByToken) {
  serve();

  EXPECT_EQ(failure_with("token: secret"), "it did not fail");
}

TEST_F(Access, SucceedsByTokenFile) {
  serve();
  folder_.write("token", "secret\n");

  EXPECT_EQ(failure_with("tokenFile: token"), "it did not fail");
}

TEST_F(Access, SucceedsByClientCertificate) {
  const auto me = http::make_client_certificate(authority_, valid("me", -hours(1), hours(1))).value();
  folder_.write("me.crt", me.certificate);
  folder_.write("me.key", me.key);
  serve(-hours(1), hours(1), authority_.certificate);

  EXPECT_EQ(failure_with("client-certificate: me.crt, client-key: me.key, token: secret"), "it did not fail");
  EXPECT_THAT(failure_with("token: secret"), HasSubstr("client-certificate"));
}

// The certificate expires while the process runs, so it is not detected when the kubeconfig is read.
TEST_F(Access, WithAClientCertificateThatExpiredMeanwhileNamesTheDate) {
  const http::CertificateOptions options = valid("me", -hours(2), -hours(1));
  const auto me = http::make_client_certificate(authority_, options).value();
  folder_.write("me.crt", me.certificate);
  folder_.write("me.key", me.key);
  const std::string user = "client-certificate: me.crt, client-key: me.key";
  serve();

  const std::string rejected = failure_with(user);
  EXPECT_THAT(rejected, HasSubstr("the server rejects the client certificate of context dev of " + config_ +
                                  ", which expired at " + format_time(options.not_after) + "; renew it"));

  serve(-hours(1), hours(1), authority_.certificate);
  EXPECT_THAT(failure_with(user), HasSubstr("the server rejected the client certificate, because it has expired"));
}

TEST_F(Access, WithoutVerifyingWarns) {
  serve();

  EXPECT_EQ(failure_with("token: secret", "insecure-skip-tls-verify: true"), "it did not fail");
  EXPECT_THAT(sink_->lines(), ::testing::ElementsAre(HasSubstr("is not verified")));
}

TEST_F(Access, WithAWrongTokenNamesTheContext) {
  serve();

  const std::string failure = failure_with("token: secretly-wrong");

  EXPECT_THAT(failure, StartsWith("get configmap default/a: "));
  EXPECT_THAT(failure, HasSubstr("the server rejects the token of context dev of " + config_ + "; renew it"));
}

// Writes a credential plugin that prints the file "credential" and counts its runs in the file "runs".
class AccessByPlugin : public Access {
 protected:
  void SetUp() override {
    Access::SetUp();
    const std::string plugin = folder_.write("plugin",
                                             "#!/bin/sh\ncd \"${0%/*}\"\necho \"$1 $GREETING\" >> runs\n"
                                             "printf '%s' \"$KUBERNETES_EXEC_INFO\" > info\ncat credential\n");
    std::filesystem::permissions(plugin, std::filesystem::perms::owner_all);
  }
  void plugin_prints(const json::object& status) const {
    folder_.write("credential", json::print(json::object{{"kind", "ExecCredential"},
                                                         {"apiVersion", "client.authentication.k8s.io/v1"},
                                                         {"status", status}}));
  }
  [[nodiscard]] std::string content_of(const std::string& name) const {
    return read_file(folder_.path(name)).value_or("none");
  }

  const std::string user_ =
      "exec: {apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never, command: ./plugin, "
      "args: [get-token], env: [{name: GREETING, value: hello}], provideClusterInfo: true}";
};

TEST_F(AccessByPlugin, SucceedsByToken) {
  serve();
  plugin_prints({{"token", "secret"}});

  EXPECT_EQ(failure_with(user_), "it did not fail");

  EXPECT_EQ(content_of("runs"), "get-token hello\n");
  const auto info = json::parse(content_of("info"));
  ASSERT_TRUE(info);
  EXPECT_EQ(info->at("spec").at("cluster").at("server").as_string(),
            "https://127.0.0.1:" + std::to_string(server_->port()));
}

TEST_F(AccessByPlugin, SucceedsByClientCertificate) {
  serve(-hours(1), hours(1), authority_.certificate);
  const auto me = http::make_client_certificate(authority_, valid("me", -hours(1), hours(1))).value();
  plugin_prints({{"clientCertificateData", me.certificate}, {"clientKeyData", me.key}, {"token", "secret"}});

  EXPECT_EQ(failure_with(user_), "it did not fail");
}

TEST_F(AccessByPlugin, FailsWithTheReason) {
  serve();

  EXPECT_THAT(failure_with(user_), HasSubstr("ended with status 1: cat: credential: No such file"));
  std::filesystem::remove(folder_.path("plugin"));
  EXPECT_THAT(failure_with(user_), HasSubstr("plugin: No such file or directory; install it"));
}

// The test of a real process: the credential of the plugin is renewed after a 401.
TEST_F(AccessByPlugin, RunsItAgainAfterARejection) {
  serve();
  plugin_prints({{"token", "secretly-old"}});
  ASSERT_THAT(failure_with(user_),
              HasSubstr("the server rejects the credential from plugin " + folder_.path("plugin")));
  EXPECT_EQ(content_of("runs"), "get-token hello\nget-token hello\n");
}

TEST_F(Access, ToAServerOfAnUnknownAuthorityNamesTheReason) {
  serve();
  folder_.write("ca.crt", make_authority("somebody else").certificate);

  const std::string failure = failure_with("token: secret");

  EXPECT_THAT(failure, HasSubstr("the server's certificate is signed by an unknown authority"));
  EXPECT_THAT(failure, EndsWith("(context dev of " + config_ + ")"));
}

TEST_F(Access, ToAServerWithAnExpiredCertificateNamesTheReason) {
  serve(-hours(2), -hours(1));

  EXPECT_THAT(failure_with("token: secret"), HasSubstr("the server's certificate has expired"));
}

TEST_F(Access, ToAMissingServerNamesTheAddress) {
  serve();
  const std::string address = "127.0.0.1:" + std::to_string(server_->port());
  server_->stop();

  const std::string failure = failure_with("token: secret");

  EXPECT_THAT(failure, HasSubstr(address));
  EXPECT_THAT(failure, HasSubstr("connection refused"));
}

TEST_F(Access, ToAMissingKindNamesTheKind) {
  serve();
  ASSERT_TRUE(get_with("token: secret"));
  Client client({.transport = transport_, .cluster = load_kubeconfig(config_).value()});

  EXPECT_THAT(client.get({"demo.pintle.dev/v1", "Greeting"}, of_a).error().to_string(),
              HasSubstr("the server does not have greetings.demo.pintle.dev/v1"));
}

}  // namespace
}  // namespace pintle
