// SPDX-License-Identifier: Apache-2.0
// WebhookServer: serves webhooks by HTTPS, and renews its certificate when the files change.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <pintle/base/log.hpp>
#include <pintle/base/metrics.hpp>
#include <pintle/base/mutex.hpp>
#include <pintle/base/trace.hpp>
#include <pintle/http/certificate_watcher.hpp>
#include <pintle/http/running_server.hpp>
#include <pintle/webhook/webhook_options.hpp>

#include "webhook_handler.hpp"

namespace pintle {

struct WebhookServerOptions {
  WebhookOptions webhooks{};
  // The hosts that API servers verify, for a generated certificate: "SERVICE.NAMESPACE.svc", or that of a URL.
  std::vector<std::string> names{};
  // The certificate of another source; set_key_pair() renews it. Default: that of the files, which are watched, or a
  // generated one.
  std::optional<http::KeyPair> certificate{};
  std::vector<AnyConversion> conversions{};
  bool serves_conversions = false;                         // also without conversions
  Duration stop_timeout = std::chrono::seconds(10);        // how long stop() waits for responses
  Duration certificate_period = std::chrono::seconds(10);  // time between two checks of the files
  Log log{};
  std::shared_ptr<Tracer> tracer{};               // null: no spans
  Duration slow_after = std::chrono::seconds(1);  // a call that takes longer is logged
  std::function<bool()> is_ready{};               // see http::ServerOptions::is_ready
};

// Returns the errors of the options; each names the option and the remedy.
[[nodiscard]] std::vector<Error> validate(const WebhookOptions& options);

// start(), then stop(). The metrics must outlive this object. is_listening(), set_key_pair(), check() and check_alive()
// are thread-safe.
class WebhookServer {
 public:
  WebhookServer(Executor& executor, std::vector<AdmissionWebhook> webhooks, WebhookServerOptions options,
                MetricsRegistry& metrics);
  ~WebhookServer() { stop(); }
  WebhookServer(const WebhookServer&) = delete;
  WebhookServer& operator=(const WebhookServer&) = delete;

  // Errors: invalid, with the name of the file or the address.
  [[nodiscard]] Result<void> start();
  // Prepares for close(): each further response ends its connection, so that API servers connect to another instance.
  void drain() {
    if (server_) server_->drain();
  }
  // Accepts no more connections, lets responses finish, then requests the functions of the author to stop. Idempotent.
  void close();
  // Waits for the functions, after close(). Returns false if some still run at the deadline.
  [[nodiscard]] bool wait_until(Instant deadline) { return handler_.wait_until(deadline); }
  // The paths of the webhooks whose functions run.
  [[nodiscard]] std::vector<std::string> running() const { return handler_.running(); }
  // As close(), and waits for the functions. Idempotent.
  void stop();

  // Error: unavailable, if calls fail: the certificate of the files has expired, or no thread is left because functions
  // ignore their time limits.
  [[nodiscard]] Result<void> check() const;
  // Error: unavailable, if only a new process can serve calls again, because no function ends.
  [[nodiscard]] Result<void> check_alive() const;

  [[nodiscard]] bool is_listening() const noexcept { return is_listening_; }
  // The authority of a generated certificate, PEM; otherwise empty. Valid after start().
  [[nodiscard]] const std::string& ca() const noexcept { return ca_; }
  [[nodiscard]] std::string url() const { return server_->url(); }
  // Uses this certificate for new connections, for a source of certificates other than files.
  [[nodiscard]] Result<void> set_key_pair(const http::KeyPair& identity) { return server_->set_key_pair(identity); }

 private:
  [[nodiscard]] Result<http::KeyPair> identity();
  void note_expiry(const http::KeyPair& shown);

  Executor& executor_;
  const WebhookServerOptions options_;
  MetricsRegistry& metrics_;
  WebhookHandler handler_;
  std::string ca_;
  mutable Mutex mutex_;
  WallTime expiry_ PINTLE_GUARDED_BY(mutex_) = WallTime::max();  // of a certificate that this object has obtained
  std::unique_ptr<http::RunningServer> server_;
  std::optional<http::CertificateWatcher> files_;  // uses the server, so it is declared after it
  std::atomic<bool> is_listening_ = false;
};

}  // namespace pintle
