// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <concepts>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <unistd.h>

#include <pintle/apiserver/server.hpp>
#include <pintle/http/certificates.hpp>
#include <pintle/http/listen_address.hpp>
#include <pintle/http/net_transport.hpp>
#include <pintle/sim/in_process_transport.hpp>
#include <pintle/webhook/admission.hpp>

#include "connection.hpp"
#include "kinds.hpp"
#include "process.hpp"

namespace pintle::benchmarks {
namespace {

namespace fs = std::filesystem;

// The certificate of the webhooks in files.
class CertificateFiles {
 public:
  explicit CertificateFiles(const http::SelfSignedKeyPair& pair)
      : folder_(fs::temp_directory_path() / ("pintle-bench-" + std::to_string(::getpid()))) {
    fs::create_directories(folder_);
    std::ofstream(certificate()) << pair.server.certificate;
    std::ofstream(key()) << pair.server.key;
  }
  ~CertificateFiles() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  CertificateFiles(const CertificateFiles&) = delete;
  CertificateFiles& operator=(const CertificateFiles&) = delete;

  [[nodiscard]] std::string certificate() const { return folder_ / "tls.crt"; }
  [[nodiscard]] std::string key() const { return folder_ / "tls.key"; }

 private:
  const fs::path folder_;
};

template <Admissible T>
Admission<T> admit_all() {
  const auto check = [](const T&, const AdmissionContext&) { return admitted(); };
  if constexpr (std::same_as<T, Object>) {
    return {.name = "gadget", .kind = Gadget::type, .validate = check, .failure_policy = FailurePolicy::ignore};
  } else {
    return {.name = "gadget", .validate = check, .failure_policy = FailurePolicy::ignore};
  }
}

std::string review_of(const std::string& gadget, std::size_t n) {
  return R"({"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{"uid":"u-)" + std::to_string(n) +
         R"(","kind":{"group":"bench.example.com","version":"v1","kind":"Gadget"},)"
         R"("resource":{"group":"bench.example.com","version":"v1","resource":"gadgets"},"namespace":"n10k",)"
         R"("operation":"CREATE","userInfo":{"username":"anna","groups":["system:authenticated"]},"object":)" +
         gadget +
         R"(,"oldObject":null,"dryRun":false,"options":{"kind":"CreateOptions",)"
         R"("apiVersion":"meta.k8s.io/v1"}}})";
}

// The measurements of one connection.
struct Load {
  std::vector<Duration> latencies{};
  double cpu_s = 0;  // of the client
  std::optional<Error> error{};
};

// Sends reviews over one connection at their times.
class ReviewSender {
 public:
  ReviewSender(Executor& executor, std::shared_ptr<const http::Endpoint> server, std::vector<std::string> bodies)
      : executor_(executor), server_(std::move(server)), bodies_(std::move(bodies)) {}

  Load run(std::size_t first, std::size_t step, const BenchOptions& options) const {
    Load load;
    const auto transport = http::make_network_transport(executor_);
    if (load.error = send(*transport, 0); load.error) return load;  // the handshake is not measured
    const double cpu = thread_cpu_seconds();
    const Instant begun = executor_.now();
    for (std::size_t n = first; !load.error; n += step) {
      const Instant due = begun + Duration(std::chrono::seconds(1)) * n / options.rate;
      if (due - begun >= options.hold || !executor_.sleep_until(due, options.stop)) break;
      const Instant sent = executor_.now();
      load.error = send(*transport, n);
      load.latencies.push_back(executor_.now() - sent);
    }
    load.cpu_s = thread_cpu_seconds() - cpu;
    return load;
  }

 private:
  [[nodiscard]] std::optional<Error> send(http::Transport& transport, std::size_t n) const {
    const auto response = http::send(transport, {.method = "POST",
                                                 .target = "/validate/gadget?timeout=10s",
                                                 .headers = {{"Content-Type", "application/json"}},
                                                 .body = bodies_[n % bodies_.size()],
                                                 .endpoint = server_});
    if (!response) return response.error();
    if (response->body.find(R"("allowed":true)") != std::string::npos) return std::nullopt;
    return make_error(ErrorCode::invalid, "the webhook did not admit: " + response->body);
  }

  Executor& executor_;
  const std::shared_ptr<const http::Endpoint> server_;
  const std::vector<std::string> bodies_;
};

double milliseconds(Duration duration) { return std::chrono::duration<double, std::milli>(duration).count(); }

json::object result_of(std::vector<Duration> latencies, const BenchOptions& options, double cpu_s, double client_s) {
  std::sort(latencies.begin(), latencies.end());
  const auto at = [&](double part) {
    return milliseconds(latencies[static_cast<std::size_t>(part * static_cast<double>(latencies.size() - 1))]);
  };
  const auto count = static_cast<double>(latencies.size());
  return {{"mode", "admission"},
          {"requests", latencies.size()},
          {"per_s", count / std::chrono::duration<double>(options.hold).count()},
          {"p50_ms", at(0.5)},
          {"p99_ms", at(0.99)},
          {"max_ms", at(1)},
          {"cpu_us_per_request", cpu_s * 1e6 / count},
          {"client_cpu_us_per_request", client_s * 1e6 / count}};
}

// The thread of the sockets, and those of the functions.
double server_cpu_seconds() { return cpu_seconds_of_threads("server") + cpu_seconds_of_threads("webhook"); }

std::vector<std::string> reviews() {
  constexpr std::size_t count = 100;
  std::vector<std::string> bodies;
  for (std::size_t n = 0; n < count; ++n) bodies.push_back(review_of(object_of("gadgets", n), n));
  return bodies;
}

Measured measure(Executor& executor, const std::shared_ptr<const http::Endpoint>& server, const BenchOptions& options) {
  const ReviewSender sender(executor, server, reviews());
  std::vector<Load> loads(static_cast<std::size_t>(options.concurrency));
  std::vector<Thread> threads;
  const double cpu = server_cpu_seconds();
  for (std::size_t i = 0; i < loads.size(); ++i) {
    threads.push_back(executor.spawn({.name = "client-" + std::to_string(i)},
                                     [&, i] { loads[i] = sender.run(i, loads.size(), options); }));
  }
  for (Thread& thread : threads) thread.join();
  const double cpu_s = server_cpu_seconds() - cpu;
  std::vector<Duration> latencies;
  double client_s = 0;
  for (Load& load : loads) {
    if (load.error) return fail(std::move(*load.error));
    latencies.insert(latencies.end(), load.latencies.begin(), load.latencies.end());
    client_s += load.cpu_s;
  }
  if (latencies.empty()) return fail(ErrorCode::invalid, "no request was sent; set a longer --hold");
  return result_of(std::move(latencies), options, cpu_s, client_s);
}

}  // namespace

Measured measure_admission(const BenchOptions& options) {
  const auto executor = make_real_executor();
  auto pair = http::make_self_signed_key_pair("pintle-bench", "", executor->wall_now());
  if (!pair) return fail(std::move(pair.error()));
  const CertificateFiles files(*pair);
  ApiServer api(*executor, {});
  const auto transport = std::make_shared<http::InProcessTransport>(*executor, api);
  Manager manager({.name = "pintle-bench",
                   .log_level = LogLevel::warning,
                   .executor = executor.get(),
                   .transport = transport,
                   .webhooks = {.listen = "127.0.0.1:0",
                                .certificate_file = files.certificate(),
                                .key_file = files.key(),
                                .url = "https://127.0.0.1:1",
                                .install = WebhookPolicy::never}});
  if (options.form == Form::typed) {
    manager.add(admit_all<Gadget>());
  } else {
    manager.add(admit_all<Object>());
  }
  if (auto started = manager.start(); !started) return fail(std::move(started.error()));
  const auto address = http::parse_listen_address(manager.webhook_listen_address());
  if (!address) return fail(address.error());
  auto measured = measure(*executor,
                          std::make_shared<http::Endpoint>(http::Endpoint{
                              .tls = true, .host = address->host, .port = address->port, .ca = pair->authority}),
                          options);
  manager.stop();
  transport->stop();
  return measured;
}

}  // namespace pintle::benchmarks
