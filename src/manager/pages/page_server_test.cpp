// SPDX-License-Identifier: Apache-2.0
#include "page_server.hpp"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <unistd.h>

#include <pintle/http/net_transport.hpp>

#include "controller/test_support.hpp"
#include "review_test_support.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::StartsWith;
namespace fs = std::filesystem;

class HelloPages final : public http::Handler {
 public:
  http::Response handle(const http::Request&) override { return {.body = "hello"}; }
};

// Stores the log lines of several threads.
class SharedLog final : public LogSink {
 public:
  explicit SharedLog(Executor& executor) : mutex_(executor) {}
  void write(const LogRecord& record) override {
    const MutexLock lock(mutex_);
    text_ += std::string(record.message) + "\n";
  }
  std::string text() {
    const MutexLock lock(mutex_);
    return text_;
  }

 private:
  Mutex mutex_;
  std::string text_ PINTLE_GUARDED_BY(mutex_);
};

class PageServerTest : public ::testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }

  Result<void> serve(ManagerOptions options, std::unique_ptr<Client> reviews = nullptr,
                     CertificateTimes times = {.period = 1ms}) {
    options_ = std::move(options);
    server_ = std::make_unique<PageServer>(*executor_, options_, pages_, std::move(reviews), metrics_,
                                           Log(log_, *executor_), times);
    return server_->start();
  }
  // Writes the identity of a new authority to the files and returns the authority.
  std::string renew() {
    auto made = http::make_self_signed_key_pair("test", "", executor_->wall_now()).value();
    std::ofstream(folder_ / "new.crt") << made.server.certificate;
    std::ofstream(folder_ / "new.key") << made.server.key;
    fs::rename(folder_ / "new.crt", folder_ / "tls.crt");
    fs::rename(folder_ / "new.key", folder_ / "tls.key");
    return made.authority;
  }
  [[nodiscard]] ServingOptions with_files() const {
    return {.certificate_file = folder_ / "tls.crt", .key_file = folder_ / "tls.key"};
  }
  Result<http::BufferedResponse> get(const std::string& target, http::Endpoint endpoint = {},
                                     http::Headers headers = {}) {
    const auto address = http::parse_listen_address(server_->address()).value();
    endpoint.host = address.host;
    endpoint.port = address.port;
    const auto transport = http::make_network_transport(*executor_);
    return http::send(*transport, {.target = target,
                                   .headers = std::move(headers),
                                   .endpoint = std::make_shared<http::Endpoint>(std::move(endpoint))});
  }

  const fs::path folder_ = fs::path(::testing::TempDir()) / ("pintle_page_server_test_" + std::to_string(::getpid()));
  std::unique_ptr<Executor> executor_ = make_real_executor();
  std::shared_ptr<SharedLog> log_ = std::make_shared<SharedLog>(*executor_);
  MetricsRegistry metrics_;
  HelloPages pages_;
  ManagerOptions options_;
  std::unique_ptr<PageServer> server_;
};

using PageServerTestConcurrency = PageServerTest;

TEST_F(PageServerTest, WithoutAHostListensOnLoopbackOnly) {
  ASSERT_TRUE(serve({.listen = ":0", .debug = true}));
  EXPECT_THAT(server_->address(), StartsWith("127.0.0.1:"));
  EXPECT_EQ(get("/").value().body, "hello");
  EXPECT_EQ(log_->text(), "serving health and metrics\n");
}

TEST_F(PageServerTest, WarnsAboutOpenDebugPages) {
  ASSERT_TRUE(serve({.listen = "0.0.0.0:0", .debug = true}));
  EXPECT_THAT(log_->text(), HasSubstr("can read /debug/"));
}

TEST_F(PageServerTest, TlsWithoutFilesMakesItsOwnCertificate) {
  ASSERT_TRUE(serve({.listen = "127.0.0.1:0", .serving = {.tls = true}}));
  EXPECT_EQ(get("/", {.tls = true, .insecure = true}).value().body, "hello");
  EXPECT_FALSE(get("/"));
  EXPECT_FALSE(get("/", {.tls = true}));
}

TEST_F(PageServerTestConcurrency, RenewsItsOwnCertificate) {
  ASSERT_TRUE(serve({.listen = "127.0.0.1:0", .serving = {.tls = true}}, nullptr, {.max_use = 1ms}));

  // Each attempt takes a handshake, and a new certificate is made every millisecond.
  bool renewed = false;
  for (int i = 0; i < 10'000 && !renewed; ++i) {
    EXPECT_EQ(get("/", {.tls = true, .insecure = true}).value().body, "hello");
    renewed = log_->text().find("a new certificate is in use") != std::string::npos;
  }
  EXPECT_TRUE(renewed);
}

TEST_F(PageServerTestConcurrency, UsesTheCurrentCertificateOfItsFiles) {
  const std::string first = renew();
  ASSERT_TRUE(serve({.listen = "127.0.0.1:0", .serving = with_files()}));
  ASSERT_TRUE(get("/", {.tls = true, .ca = first}));

  const std::string second = renew();

  // Each attempt takes a handshake, and the files are read every millisecond.
  Result<http::BufferedResponse> response = get("/", {.tls = true, .ca = second});
  for (int i = 0; i < 10'000 && !response; ++i) response = get("/", {.tls = true, .ca = second});
  EXPECT_TRUE(response);
  EXPECT_FALSE(get("/", {.tls = true, .ca = first}));
  EXPECT_GT(metrics_.counter("certwatcher_read_certificate_total", "").value(), 1);
}

TEST_F(PageServerTest, NamesAnUnreadableFile) {
  const auto missing = serve({.listen = "127.0.0.1:0", .serving = with_files()});
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error().to_string(), HasSubstr("tls.crt: No such file or directory"));

  renew();
  std::ofstream(folder_ / "tls.key") << "nothing";
  const auto wrong = serve({.listen = "127.0.0.1:0", .serving = with_files()});
  ASSERT_FALSE(wrong);
  EXPECT_THAT(wrong.error().to_string(), HasSubstr("tls.key is not a PEM private key"));
}

TEST_F(PageServerTestConcurrency, TheClusterDecidesAboutAccess) {
  ReviewingCluster cluster;
  cluster.users = {{"token-of-jane", "jane"}, {"token-of-john", "john"}};
  cluster.allowed = {{"jane", "get /metrics"}};
  const auto transport = std::make_shared<http::InProcessTransport>(*executor_, cluster);
  ASSERT_TRUE(serve({.listen = "127.0.0.1:0", .serving = {.tls = true, .authorize = true}}, client_of(transport)));
  const auto status = [&](const std::string& target, const std::string& token) {
    return get(target, {.tls = true, .insecure = true}, {{"Authorization", "Bearer " + token}}).value().status;
  };

  EXPECT_EQ(status("/healthz", ""), 200);
  EXPECT_EQ(status("/metrics", ""), 401);
  EXPECT_EQ(status("/metrics", "token-of-nobody"), 401);
  EXPECT_EQ(status("/metrics", "token-of-john"), 403);
  EXPECT_EQ(status("/metrics", "token-of-jane"), 200);
  EXPECT_EQ(status("/debug/", "token-of-jane"), 403);
  transport->stop();
  EXPECT_EQ(status("/debug/x", "token-of-jane"), 503);
  server_.reset();  // before the cluster is destroyed
}

TEST(Serving, NeedsBothFilesAndTlsForTokensOnTheNetwork) {
  const auto wrong = [](const char* listen, ServingOptions serving) {
    const auto errors = check_serving({.listen = listen, .serving = std::move(serving)});
    return errors.empty() ? std::string() : errors.front().message;
  };
  const ServingOptions files{.certificate_file = "c", .key_file = "k", .authorize = true};
  EXPECT_THAT(wrong(":1", {.certificate_file = "c"}), HasSubstr("--tls-private-key-file"));
  EXPECT_THAT(wrong(":1", {.key_file = "k"}), HasSubstr("--tls-cert-file"));
  EXPECT_THAT(wrong("0.0.0.0:1", {.authorize = true}), HasSubstr("--authorize requires --tls"));
  EXPECT_THAT(wrong("x", {}), HasSubstr("use HOST:PORT"));
  for (const char* fine : {":1", "127.0.0.1:1", "[::1]:1", "localhost:1"}) {
    EXPECT_EQ(wrong(fine, {.authorize = true}), "") << fine;
  }
  EXPECT_EQ(wrong("0.0.0.0:1", {.tls = true, .authorize = true}), "");
  EXPECT_EQ(wrong("0.0.0.0:1", files), "");
}

TEST(Serving, OptionsWithoutListenAreErrors) {
  const auto wrong = [](const ManagerOptions& options) {
    const auto errors = check_serving(options);
    return errors.size() == 1 ? errors.front().message : std::to_string(errors.size());
  };
  EXPECT_EQ(wrong({}), "0");
  EXPECT_EQ(wrong({.debug = true, .serving = {.authorize = true}}),
            "no pages are served, so these flags have no effect: --debug, --authorize; set --listen HOST:PORT "
            "(ManagerOptions::listen) too, or remove them");
  EXPECT_THAT(wrong({.serving = {.profiling = true}}), HasSubstr(": --profiling;"));
  EXPECT_THAT(wrong({.serving = {.tls = true}}), HasSubstr(": --tls;"));
  EXPECT_THAT(wrong({.serving = {.certificate_file = "c"}}), HasSubstr(": --tls-cert-file;"));
  EXPECT_THAT(wrong({.serving = {.key_file = "k"}}), HasSubstr(": --tls-private-key-file;"));
}

}  // namespace
}  // namespace pintle
