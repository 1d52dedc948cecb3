// SPDX-License-Identifier: Apache-2.0
// Webhooks under load in real time, while their certificate and its authority are replaced again and again.
#include <array>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <unistd.h>

#include <pintle/http/net_transport.hpp>
#include <pintle/http/server_url.hpp>
#include <pintle/sim/in_process_transport.hpp>

#include "test_support.hpp"
#include "webhook/test_support.hpp"
#include "webhook/webhook_server.hpp"

namespace pintle {
namespace {

using namespace certificates_test;  // NOLINT(google-build-using-namespace)

constexpr Duration rotation_period = 2s;
constexpr Duration distribution = 1s;
// An API server uses a changed bundle at this time or later, but within `distribution`.
constexpr Duration bundle_delay = 500ms;

int rotations() { return std::getenv("PINTLE_LONG") != nullptr ? 30 : 3; }

// The connections of a client.
enum class Reuse {
  always,                // one connection, which was opened before the first rotation
  while_bundle_is_same,  // as an API server: a changed bundle needs a new connection
  never,
};

struct LoadOptions {
  Reuse reuse{};
  int per_second = 0;
};
// The threads of the load, which together send 500 requests a second.
constexpr std::array loads{LoadOptions{Reuse::always, 100},
                           LoadOptions{Reuse::always, 100},
                           LoadOptions{Reuse::while_bundle_is_same, 125},
                           LoadOptions{Reuse::while_bundle_is_same, 125},
                           LoadOptions{Reuse::never, 25},
                           LoadOptions{Reuse::never, 25}};

json::Value secret_of(const CertificateState& state, const std::string& name) {
  json::Value secret{
      {"apiVersion", "v1"}, {"kind", "Secret"}, {"metadata", {{"name", name}, {"namespace", "default"}}}};
  secret.as_object()["data"] = secret_data(state);
  return secret;
}

// The webhooks of one process, whose certificate is in a Secret, and a configuration with their bundle.
class CertificateRotation : public ::testing::Test {
 protected:
  CertificateRotation() { EXPECT_TRUE(user_.create(configuration())); }
  ~CertificateRotation() override { transport_->stop(); }

  Admission<Greeting> admit_all() {
    return {.validate = [](const Greeting&, const AdmissionContext&) { return admitted(); }};
  }
  // Starts the webhooks, and calls `rotate` every two seconds until all requests of this time are sent.
  void run(std::unique_ptr<CertificateSource> source, const std::function<void()>& rotate,
           Duration time = rotation_period * rotations()) {
    ServingCertificates certificates(client_, std::move(source),
                                     {.address = address,
                                      .targets = {{.kind = validating, .name = "op"}},
                                      .period = 50ms,
                                      .distribution = distribution});
    auto first = certificates.wait_until_ready(10s, {});
    ASSERT_TRUE(first) << first.error().to_string();
    WebhookServer server(*executor_, webhooks_of({erase_type(admit_all())}),
                         {.webhooks = {.listen = "127.0.0.1:0"}, .certificate = *first}, metrics_);
    ASSERT_TRUE(server.start());
    url_ = server.url();
    certificates.start([&](const http::KeyPair& next) {
      ++renewals_;
      return server.set_key_pair(next);
    });
    std::stop_source is_over;
    Thread rotator = executor_->spawn({.name = "rotator"}, [&] {
      Instant due = executor_->now();
      do rotate();
      while (executor_->sleep_until(due += rotation_period, is_over.get_token()));
    });
    send_all_requests(time);
    is_over.request_stop();
    rotator.join();
    certificates.stop();
    server.stop();
  }

  const std::unique_ptr<Executor> executor_ = make_real_executor();
  ApiServer api_{*executor_, {}};
  const std::shared_ptr<http::InProcessTransport> transport_ =
      std::make_shared<http::InProcessTransport>(*executor_, api_);
  Client client_{{.transport = transport_}};
  Client user_{{.transport = transport_}};
  MetricsRegistry metrics_;
  std::string url_;
  std::atomic<int> renewals_ = 0;
  std::atomic<int> requests_ = 0;
  std::atomic<int> failures_ = 0;

 private:
  // Returns the server, with the current bundle.
  std::shared_ptr<const http::Endpoint> endpoint() {
    auto found = http::parse_server_url(url_, true).value();
    found.server_name = host;
    const auto installed = user_.get(validating, {.name = "op"}).value();
    found.ca = Bytes::from_base64(installed["/webhooks/0/clientConfig/caBundle"].text()).value().data;
    return std::make_shared<http::Endpoint>(std::move(found));
  }
  void send(http::Transport& transport, const std::shared_ptr<const http::Endpoint>& to) {
    const auto response = http::send(transport, {.method = "POST",
                                                 .target = "/validate/greeting",
                                                 .headers = {{"Content-Type", "application/json"}},
                                                 .body = greeting_review("u-7"),
                                                 .endpoint = to});
    ++requests_;
    const bool is_admitted = response && response->status == 200 &&
                             response->body.find(R"("uid":"u-7","allowed":true)") != std::string::npos;
    if (is_admitted) return;
    ++failures_;
    ADD_FAILURE() << (response ? response->body : response.error().to_string());
  }
  // Sends the requests at their times. A request that is late is sent immediately, so on a slow machine the same number
  // of requests takes longer.
  void send_requests(const LoadOptions& load, Duration time) {
    auto transport = http::make_network_transport(*executor_);
    auto to = endpoint();
    const auto count = time / Duration(1s) * load.per_second;
    Instant due = executor_->now();
    Instant read = due;
    for (auto i = count; i > 0 && failures_ == 0; --i) {
      if (load.reuse != Reuse::always && executor_->now() - read >= bundle_delay) {
        read = executor_->now();
        to = endpoint();
      }
      if (load.reuse == Reuse::never) transport = http::make_network_transport(*executor_);
      send(*transport, to);
      executor_->sleep_until(due += Duration(1s) / load.per_second);
    }
  }
  void send_all_requests(Duration time) {
    std::vector<Thread> threads;
    threads.reserve(loads.size());
    for (const LoadOptions& load : loads) {
      threads.push_back(executor_->spawn({.name = "load"}, [this, &load, time] { send_requests(load, time); }));
    }
    for (Thread& thread : threads) thread.join();
  }
};

// Another program replaces the certificate and its authority at once; the webhooks decide when they use them.
TEST_F(CertificateRotation, NoRequestFailsWhenAnotherProgramRotatesTheSecret) {
  const auto next = [&] {
    return secret_of(make_certificates(profile(), {}, executor_->wall_now()).value(), "theirs");
  };
  ASSERT_TRUE(user_.create(next()));

  run(given_secret_source(client_, {"default", "theirs"}), [&] { ASSERT_TRUE(user_.replace(next())); });

  EXPECT_EQ(failures_, 0) << "of " << requests_;
  EXPECT_GE(renewals_, rotations());
}

// The certificate is renewed every 4 seconds, and the authority every 8 seconds: it is added to the bundle, then
// distributed, then it signs.
TEST_F(CertificateRotation, NoRequestFailsWhenTheOperatorRenewsItsCertificates) {
  const CertificateProfile quick{.names = {host}, .lives = {.authority = 12s, .serving = 6s, .tolerance = 1s}};
  const auto authority = [&] {
    const auto secret = user_.get(Type{"v1", "Secret"}, secret_key);
    return secret ? read_certificate_state(*secret).value().authority.certificate : std::string();
  };
  std::string first;

  run(
      own_secret_source(client_, {.secret = secret_key, .manager = "op", .profile = quick}),
      [&] {
        if (first.empty()) first = authority();
      },
      rotations() > 3 ? 60s : 12s);

  EXPECT_EQ(failures_, 0) << "of " << requests_;
  EXPECT_GE(renewals_, 2);
  EXPECT_NE(authority(), first);
}

// The next check would be in an hour.
TEST_F(CertificateRotation, ChangedFilesAreReadAtOnce) {
  const std::filesystem::path folder =
      std::filesystem::path(::testing::TempDir()) / ("pintle_rotation_test_" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  const auto renew = [&] {
    const CertificateState made = make_certificates(profile(), {}, executor_->wall_now()).value();
    std::ofstream(folder / "ca.crt") << made.authority.certificate;
    std::ofstream(folder / "tls.crt") << made.serving.certificate;
    std::ofstream(folder / "tls.key") << made.serving.key;
    return made.serving;
  };
  renew();
  ServingCertificates certificates(
      client_,
      file_source(
          *executor_,
          {.certificate_file = folder / "tls.crt", .key_file = folder / "tls.key", .ca_file = folder / "ca.crt"}),
      {.address = address, .targets = {{.kind = validating, .name = "op"}}, .period = 1h, .distribution = 0s});
  ASSERT_TRUE(certificates.wait_until_ready(10s, {}));
  std::atomic<bool> is_used = false;
  http::KeyPair used;
  certificates.start([&](const http::KeyPair& next) -> Result<void> {
    used = next;
    is_used = true;
    return {};
  });

  const http::KeyPair wanted = renew();
  const Instant limit = executor_->now() + 1min;
  while (!is_used && executor_->now() < limit) executor_->yield();
  certificates.stop();

  EXPECT_EQ(used, wanted);
  std::filesystem::remove_all(folder);
}

// Another instance of the operator renews the authority, and signs with it at once, as if its clock were ahead.
TEST_F(CertificateRotation, NoRequestFailsWhenAnotherInstanceRenewsTheAuthority) {
  const auto renew = [&] {
    const auto secret = user_.get(Type{"v1", "Secret"}, secret_key).value();
    CertificateState state = read_certificate_state(secret).value();
    for (const auto step : {CertificateStep::add_authority, CertificateStep::sign_with_next}) {
      state = take_step(std::move(state), step, profile(), executor_->wall_now()).value();
    }
    ASSERT_TRUE(user_.patch(Type{"v1", "Secret"}, secret_key, {{"data", secret_data(state)}}));
  };

  run(own_secret_source(client_, {.secret = secret_key, .manager = "op", .profile = profile()}), renew);

  EXPECT_EQ(failures_, 0) << "of " << requests_;
  EXPECT_GE(renewals_, rotations());
}

}  // namespace
}  // namespace pintle
