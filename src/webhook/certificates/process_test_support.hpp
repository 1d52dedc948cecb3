// SPDX-License-Identifier: Apache-2.0
// WebhookProcess: an instance of an operator in a simulation, which serves a webhook with the certificate in a Secret.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <pintle/http/running_server.hpp>

#include "test_support.hpp"

namespace pintle::certificates_test {

// Admits each request.
class AdmitAllHandler final : public http::Handler {
 public:
  http::Response handle(const http::Request& request) override {
    const json::Value review = json::parse(request.body).value();
    const json::Value response{{"apiVersion", "admission.k8s.io/v1"},
                               {"kind", "AdmissionReview"},
                               {"response", {{"uid", review.at("request").at("uid")}, {"allowed", true}}}};
    return {.headers = {{"Content-Type", "application/json"}}, .body = json::print(response)};
  }
};

// Keeps the last lines with their times, to print them if the test fails. Thread-safety: none.
class StorySink final : public LogSink {
 public:
  void write(const LogRecord& record) override {
    std::string line = format_time(record.time) + " " + std::string(record.message);
    const auto add = [&](const LogField& field) {
      const std::string* text = field.value.as_string();
      const std::int64_t* number = field.value.as_integer();
      line += " " + field.name + "=" + (text != nullptr ? *text : number != nullptr ? std::to_string(*number) : "");
    };
    if (record.context != nullptr) std::for_each(record.context->begin(), record.context->end(), add);
    std::for_each(record.fields.begin(), record.fields.end(), add);
    lines_.push_back(std::move(line));
    if (lines_.size() > max_lines) lines_.pop_front();
  }
  [[nodiscard]] std::string text() const {
    std::string all;
    for (const std::string& line : lines_) all += line + "\n";
    return all;
  }

 private:
  static constexpr std::size_t max_lines = 60;
  std::deque<std::string> lines_;
};

struct WebhookProcessOptions {
  std::string host{};
  std::vector<BundleTarget> targets{};
  CertificateLives lives{};
  Duration period{};
  Duration distribution{};
  Duration clock_offset{};
  http::FaultPlan faults{};
  Log log{};
};

// Starts on a separate thread, as a process does. crash() and the destructor are called by the driver.
class WebhookProcess {
 public:
  WebhookProcess(testkit::Simulation& simulation, http::Handler& api, WebhookProcessOptions options)
      : clock(simulation.executor()),
        simulation_(simulation),
        host_(options.host),
        transport_(std::make_shared<http::InProcessTransport>(simulation.executor(), api, std::move(options.faults))),
        client_({.transport = transport_}),
        certificates_(client_,
                      own_secret_source(client_, {.secret = secret_key,
                                                  .manager = "op",
                                                  .profile = {.names = {host}, .lives = options.lives},
                                                  .clock = &clock,
                                                  .log = options.log}),
                      {.address = address,
                       .targets = std::move(options.targets),
                       .period = options.period,
                       .distribution = options.distribution,
                       .log = options.log}) {
    clock.offset = options.clock_offset;
    thread_ = simulation.executor().spawn({.name = host_}, [this] { run(); });
  }
  // Ends the process as SIGTERM does.
  ~WebhookProcess() {
    stop_.request_stop();
    thread_.join();
    server_.reset();
    certificates_.stop();
    transport_->stop();
  }
  WebhookProcess(const WebhookProcess&) = delete;
  WebhookProcess& operator=(const WebhookProcess&) = delete;

  // Ends the process as SIGKILL does; destroy the object afterwards.
  void crash() {
    transport_->crash();
    simulation_.network().crash(host_);
  }
  [[nodiscard]] bool is_crashed() const noexcept { return transport_->is_crashed(); }
  // Empty until the process listens.
  [[nodiscard]] const std::string& certificate() const noexcept { return certificate_; }
  [[nodiscard]] Instant listens_since() const noexcept { return listens_since_; }
  [[nodiscard]] int renewals() const noexcept { return renewals_; }
  [[nodiscard]] Result<void> check() const { return certificates_.check(); }

  WrongClock clock;

 private:
  void run() {
    const auto first = certificates_.wait_until_ready(24h, stop_.get_token());
    if (!first) {
      EXPECT_TRUE(stop_.stop_requested() || is_crashed()) << first.error().to_string();
      return;
    }
    const auto serve = simulation_.network().server_factory({.host = host_, .service = "op.shop"});
    auto server = serve(simulation_.executor(), handler_,
                        {.listen = ":9443", .certificate = first->certificate, .key = first->key});
    ASSERT_TRUE(server) << server.error().to_string();
    server_ = std::move(*server);
    certificate_ = first->certificate;
    listens_since_ = simulation_.executor().now();
    certificates_.start([this](const http::KeyPair& next) {
      certificate_ = next.certificate;
      ++renewals_;
      return server_->set_key_pair(next);
    });
  }

  testkit::Simulation& simulation_;
  const std::string host_;
  const std::shared_ptr<http::InProcessTransport> transport_;
  Client client_;
  ServingCertificates certificates_;
  AdmitAllHandler handler_;
  std::unique_ptr<http::RunningServer> server_;
  std::string certificate_;
  Instant listens_since_{};
  int renewals_ = 0;
  std::stop_source stop_;
  Thread thread_;
};

}  // namespace pintle::certificates_test
