// SPDX-License-Identifier: Apache-2.0
#include "webhook_server.hpp"

#include <atomic>
#include <filesystem>
#include <fstream>
#include <functional>
#include <vector>

#include <gmock/gmock.h>
#include <unistd.h>

#include <pintle/http/net_transport.hpp>
#include <pintle/http/server_url.hpp>

#include "http/test_support.hpp"
#include "test_support.hpp"

namespace pintle {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;
using namespace std::chrono_literals;  // NOLINT(google-build-using-namespace)
namespace fs = std::filesystem;

class WebhookServerTest : public ::testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override {
    server_.reset();
    fs::remove_all(folder_);
  }

  using Function = std::function<void(const AdmissionContext&)>;
  Result<void> serve(
      WebhookOptions options, const Function& function = [](const AdmissionContext&) {}, Duration stop_timeout = 10s) {
    const auto check = [function](const Greeting&, const AdmissionContext& context) {
      function(context);
      return admitted();
    };
    server_ =
        std::make_unique<WebhookServer>(*executor_, webhooks_of({erase_type(Admission<Greeting>{.validate = check})}),
                                        WebhookServerOptions{.webhooks = std::move(options),
                                                             .names = {"op.shop.svc", "op.example.com"},
                                                             .stop_timeout = stop_timeout,
                                                             .certificate_period = 1ms},
                                        metrics_);
    return server_->start();
  }
  // Writes the identity of a new authority to the files and returns the authority.
  std::string renew(Duration age = {}) {
    auto made = http::make_self_signed_key_pair("test", "", executor_->wall_now() - age).value();
    std::ofstream(folder_ / "new.crt") << made.server.certificate;
    std::ofstream(folder_ / "new.key") << made.server.key;
    fs::rename(folder_ / "new.crt", folder_ / "tls.crt");
    fs::rename(folder_ / "new.key", folder_ / "tls.key");
    return made.authority;
  }
  [[nodiscard]] WebhookOptions with_files() const {
    return {.listen = "127.0.0.1:0", .certificate_file = folder_ / "tls.crt", .key_file = folder_ / "tls.key"};
  }
  Result<http::BufferedResponse> call(const std::string& ca, const std::string& name = "",
                                      const std::string& target = "/validate/greeting?timeout=1s") {
    auto endpoint = http::parse_server_url(server_->url(), true).value();
    endpoint.ca = ca;
    endpoint.server_name = name;
    const auto transport = http::make_network_transport(*executor_);
    return http::send(*transport, {.method = "POST",
                                   .target = target,
                                   .headers = {{"Content-Type", "application/json"}},
                                   .body = greeting_review("u-9"),
                                   .endpoint = std::make_shared<http::Endpoint>(std::move(endpoint))});
  }

  const fs::path folder_ =
      fs::path(::testing::TempDir()) / ("pintle_webhook_server_test_" + std::to_string(::getpid()));
  std::unique_ptr<Executor> executor_ = make_real_executor();
  MetricsRegistry metrics_;
  std::unique_ptr<WebhookServer> server_;
};

using WebhookServerTestConcurrency = WebhookServerTest;

TEST_F(WebhookServerTest, ServesReviewsWithAGeneratedCertificateForItsService) {
  ASSERT_TRUE(serve({.listen = "127.0.0.1:0"}));
  EXPECT_TRUE(server_->is_listening());

  const auto response = call(server_->ca(), "op.shop.svc");

  ASSERT_TRUE(response) << response.error().to_string();
  EXPECT_EQ(response->body,
            R"({"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","response":{"uid":"u-9","allowed":true}})");
  EXPECT_TRUE(call(server_->ca(), "op.example.com"));
  EXPECT_FALSE(call(server_->ca(), "other.shop.svc"));
}

TEST_F(WebhookServerTest, AnswersBeforeTheDeadlineOverANetwork) {
  ASSERT_TRUE(serve({.listen = "127.0.0.1:0"},
                    [&](const AdmissionContext& context) { executor_->sleep_for(1h, context.stop_token()); }));
  const auto response = call(server_->ca(), "op.shop.svc");
  ASSERT_TRUE(response) << response.error().to_string();
  EXPECT_THAT(response->body, HasSubstr("\"code\":504"));
}

// The certificate is renewed while the operator runs (trap 81).
TEST_F(WebhookServerTestConcurrency, UsesTheCurrentCertificateOfItsFiles) {
  const std::string first = renew();
  ASSERT_TRUE(serve(with_files()));
  EXPECT_EQ(server_->ca(), "");
  ASSERT_TRUE(call(first));

  const std::string second = renew();

  // Each attempt takes a handshake, and the files are read every millisecond.
  auto response = call(second);
  for (int i = 0; i < 10'000 && !response; ++i) response = call(second);
  EXPECT_TRUE(response);
  EXPECT_FALSE(call(first));
}

TEST_F(WebhookServerTestConcurrency, ReportsAnExpiredCertificateOfItsFilesUntilItIsRenewed) {
  renew(std::chrono::years(20));
  ASSERT_TRUE(serve(with_files()));
  const auto checked = server_->check();
  ASSERT_FALSE(checked);
  EXPECT_THAT(checked.error().message, HasSubstr("the certificate of the webhooks expired at "));

  const std::string next = renew();

  for (int i = 0; i < 10'000 && !server_->check(); ++i) (void)call(next);
  EXPECT_TRUE(server_->check());
}

TEST_F(WebhookServerTest, ServesCallsWhileItDrains) {
  ASSERT_TRUE(serve({.listen = "127.0.0.1:0"}));
  server_->drain();
  const auto response = call(server_->ca(), "op.shop.svc");
  ASSERT_TRUE(response) << response.error().to_string();
  EXPECT_THAT(response->body, HasSubstr("\"allowed\":true"));
  EXPECT_EQ(response->headers.get("Connection"), "close") << "so that the API server connects to another instance";
}

TEST_F(WebhookServerTest, NamesAnUnreadableFile) {
  const auto missing = serve(with_files());
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error().to_string(), HasSubstr(".crt: No such file or directory"));
  EXPECT_FALSE(server_->is_listening());
}

// The API server is waiting for the response.
TEST_F(WebhookServerTestConcurrency, StopLetsCallsComplete) {
  http::Gate begun(*executor_);
  http::Gate gate(*executor_);
  ASSERT_TRUE(serve({.listen = "127.0.0.1:0"}, [&](const AdmissionContext&) {
    begun.open();
    gate.wait();
  }));
  Result<http::BufferedResponse> response;
  Thread caller = executor_->spawn(
      {.name = "caller"}, [&] { response = call(server_->ca(), "op.shop.svc", "/validate/greeting?timeout=10s"); });
  begun.wait();
  Thread opener = executor_->spawn({.name = "opener"}, [&] {
    while (call(server_->ca(), "op.shop.svc", "/none")) {}  // until the server accepts no more connections
    gate.open();
  });

  server_->stop();

  opener.join();
  caller.join();
  ASSERT_TRUE(response) << response.error().to_string();
  EXPECT_THAT(response->body, HasSubstr("\"allowed\":true"));
}

TEST_F(WebhookServerTestConcurrency, StopEndsACallThatTakesTooLong) {
  http::Gate begun(*executor_);
  std::atomic<bool> was_stopped = false;
  ASSERT_TRUE(serve(
      {.listen = "127.0.0.1:0"},
      [&](const AdmissionContext& context) {
        begun.open();
        was_stopped = !executor_->sleep_for(1h, context.stop_token());
      },
      10ms));
  Result<http::BufferedResponse> response;
  Thread caller = executor_->spawn(
      {.name = "caller"}, [&] { response = call(server_->ca(), "op.shop.svc", "/validate/greeting?timeout=10s"); });
  begun.wait();

  server_->stop();

  caller.join();
  EXPECT_FALSE(response);
  EXPECT_TRUE(was_stopped);
}

TEST_F(WebhookServerTest, DoesNotListenAfterTheStop) {
  ASSERT_TRUE(serve({.listen = "127.0.0.1:0"}));
  server_->stop();
  EXPECT_FALSE(server_->is_listening());
  EXPECT_FALSE(call(server_->ca(), "op.shop.svc"));
}

TEST_F(WebhookServerTest, CallsAsManyFunctionsAtOnceAsItHasThreads) {
  constexpr std::int64_t threads = 12;
  Mutex mutex(*executor_);
  CondVar changed(*executor_);
  std::int64_t running = 0;
  std::atomic<int> alone = 0;
  ASSERT_TRUE(serve({.listen = "127.0.0.1:0", .threads = threads}, [&](const AdmissionContext&) {
    const MutexLock lock(mutex);
    ++running;
    changed.notify_all();
    const Instant end = after(executor_->now(), 10s);
    while (running < threads && changed.wait_until(mutex, end)) {}
    if (running < threads) ++alone;
  }));
  std::vector<Thread> callers;
  for (int i = 0; i < threads; ++i) {
    callers.push_back(executor_->spawn({.name = "caller"}, [&] {
      EXPECT_TRUE(call(server_->ca(), "op.shop.svc", "/validate/greeting?timeout=30s"));
    }));
  }
  for (Thread& caller : callers) caller.join();
  EXPECT_EQ(alone, 0);
}

TEST(WebhookOptionsCheck, NamesEachMistake) {
  const std::pair<WebhookOptions, std::string> cases[] = {
      {{}, "--webhook-listen HOST:PORT"},
      {{.listen = ":65536"}, "--webhook-listen: "},
      {{.listen = ":9443", .certificate_file = "/c"}, "set together"},
      {{.listen = ":9443", .ca_file = "/c"}, "--webhook-ca-file has no effect"},
      {{.listen = ":9443", .threads = -1}, "--webhook-threads must be at least 1, got -1"},
      {{.listen = ":9443", .drain = -1s}, "--webhook-drain must not be negative"},
      {{.listen = ":9443", .url = "http://a:1"}, "https://HOST:PORT"},
      {{.listen = ":9443", .url = "https://a:1/x"}, "https://HOST:PORT"},
  };
  for (const auto& [options, expected] : cases) {
    const auto errors = validate(options);
    ASSERT_THAT(errors, SizeIs(1)) << expected;
    EXPECT_THAT(errors[0].message, HasSubstr(expected));
  }
  EXPECT_THAT(validate(WebhookOptions{.listen = ":9443", .url = "https://a:1"}), SizeIs(0));
}

}  // namespace
}  // namespace pintle
