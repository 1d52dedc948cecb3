// SPDX-License-Identifier: Apache-2.0
// Support for tests of certificates: an API server that sends its time, and instances that use it.
#pragma once

#include <array>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <pintle/object/bytes.hpp>
#include <pintle/testing/simulation.hpp>

#include "http/certificate_info.hpp"
#include "serving_certificates.hpp"

namespace pintle::certificates_test {

using namespace std::chrono_literals;  // NOLINT(google-build-using-namespace)

inline const WebhookAddress address{.service = "op", .namespace_ = "shop"};
inline const std::string host = "op.shop.svc";
inline const ObjectKey secret_key{.namespace_ = "default", .name = "op-webhooks"};
inline const GroupVersionKind validating{"admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration"};

inline CertificateProfile profile() {
  return {.names = {host}, .lives = {.authority = 3h, .serving = 1h, .tolerance = 5min}};
}

inline std::string http_date(WallTime time) {
  constexpr std::array days{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  constexpr std::array months{"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(std::chrono::floor<std::chrono::seconds>(time - day));
  char text[40];
  (void)std::snprintf(text, sizeof(text), "%s, %02u %s %04d %02d:%02d:%02d GMT",
                      days.at(std::chrono::weekday(day).c_encoding()), static_cast<unsigned>(date.day()),
                      months.at(static_cast<unsigned>(date.month()) - 1), static_cast<int>(date.year()),
                      static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()),
                      static_cast<int>(clock.seconds().count()));
  return text;
}

// Adds the header Date to each response, as kube-apiserver does, and can refuse requests.
class DatedServer final : public http::Handler {
 public:
  explicit DatedServer(testkit::Simulation& simulation) : simulation_(simulation) {}
  http::Response handle(const http::Request& request) override {
    ++requests;
    if (refuses && refuses(request)) return dated({.status = 500, .body = "refused by the test"});
    http::Response response = simulation_.server().handle(request);
    if (!response.deferred) return dated(std::move(response));
    return {.deferred = [this, deferred = std::move(response.deferred)] { return dated(deferred()); }};
  }

  std::function<bool(const http::Request&)> refuses{};
  int requests = 0;

 private:
  http::Response dated(http::Response response) {
    response.headers.set("Date", http_date(simulation_.executor().wall_now()));
    return response;
  }

  testkit::Simulation& simulation_;
};

// A clock of a machine that is wrong.
class WrongClock final : public Clock {
 public:
  explicit WrongClock(const Clock& right) : right_(right) {}
  [[nodiscard]] Instant now() const noexcept override { return right_.now(); }
  [[nodiscard]] WallTime wall_now() const noexcept override { return right_.wall_now() + offset; }

  Duration offset{};

 private:
  const Clock& right_;
};

// One process with webhooks.
class Instance {
 public:
  Instance(Executor& executor, http::Handler& server, std::vector<BundleTarget> targets, Log log = {},
           Duration distribution = 30s)
      : clock(executor),
        transport_(std::make_shared<http::InProcessTransport>(executor, server)),
        client_({.transport = transport_}),
        certificates(
            client_,
            own_secret_source(
                client_, {.secret = secret_key, .manager = "op", .profile = profile(), .clock = &clock, .log = log}),
            {.address = address, .targets = std::move(targets), .distribution = distribution, .log = log}) {}
  ~Instance() {
    certificates.stop();
    transport_->stop();
  }
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;

  Result<void> start(Duration patience = 1min) {
    auto ready = certificates.wait_until_ready(patience, {});
    if (!ready) return fail(std::move(ready.error()));
    served = std::move(*ready);
    certificates.start([this](const http::KeyPair& next) -> Result<void> {
      served = next;
      ++renewals;
      return {};
    });
    return {};
  }
  // Ends without a further request, as SIGKILL does.
  void crash() { transport_->crash(); }

  WrongClock clock;
  http::KeyPair served{};
  int renewals = 0;

 private:
  std::shared_ptr<http::InProcessTransport> transport_;
  Client client_;

 public:
  ServingCertificates certificates;
};

inline json::Value configuration(const std::string& ca = {}) {
  const auto webhook = [&](const std::string& name, const std::string& service) {
    json::object config{{"service", json::object{{"name", service}, {"namespace", "shop"}, {"path", "/x"}}}};
    if (!ca.empty()) config["caBundle"] = Bytes(ca).to_base64();
    return json::object{{"name", name + ".example.com"},
                        {"clientConfig", std::move(config)},
                        {"sideEffects", "None"},
                        {"failurePolicy", "Ignore"},
                        {"admissionReviewVersions", json::array{"v1"}}};
  };
  return json::object{{"apiVersion", "admissionregistration.k8s.io/v1"},
                      {"kind", "ValidatingWebhookConfiguration"},
                      {"metadata", json::object{{"name", "op"}}},
                      {"webhooks", json::array{webhook("ours.a", "op"), webhook("theirs.a", "other")}}};
}

}  // namespace pintle::certificates_test
