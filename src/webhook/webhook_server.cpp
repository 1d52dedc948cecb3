// SPDX-License-Identifier: Apache-2.0
#include "webhook_server.hpp"

#include <algorithm>
#include <utility>

#include <pintle/http/listen_address.hpp>
#include <pintle/http/pem.hpp>
#include <pintle/http/server_url.hpp>
#include <pintle/object/names.hpp>

namespace pintle {
namespace {

// How long functions that occupy all threads may exceed their time limits until calls are sent to other instances, and
// until the process must be restarted. A function that observes its stop token ends sooner.
constexpr Duration max_excess = std::chrono::seconds(10);
constexpr Duration max_excess_of_process = std::chrono::minutes(1);

bool has_files(const WebhookOptions& options) { return !options.certificate_file.empty() || !options.key_file.empty(); }

// The API server reaches a webhook from another machine.
Result<http::ListenAddress> address_of(const std::string& listen) {
  auto address = http::parse_listen_address(listen);
  if (address && address->host.empty()) address->host = "0.0.0.0";
  return address;
}

// Accepts no path, because the paths of the webhooks follow.
bool is_server_url(const std::string& url) {
  const auto parsed = http::parse_server_url(url, true);
  return parsed && parsed->tls && url.starts_with("https://") && url.find_first_of("/?#@", 8) == std::string::npos;
}

std::size_t max_body_size() {
  const WebhookHandlerOptions limits;
  return std::max(limits.max_body_size, limits.max_conversion_size);
}

}  // namespace

std::vector<Error> validate(const WebhookOptions& options) {
  std::vector<Error> errors;
  const auto wrong = [&](std::string what) { errors.push_back(make_error(ErrorCode::invalid, std::move(what))); };
  if (options.listen.empty()) {
    wrong("there are admissions or conversions, but no address for their webhooks; set --webhook-listen HOST:PORT");
  } else if (const auto address = address_of(options.listen); !address) {
    wrong("--webhook-listen: " + address.error().message);
  }
  if (options.certificate_file.empty() != options.key_file.empty()) {
    wrong(
        "a certificate and its key must be set together; set both --webhook-cert-file and --webhook-key-file, or "
        "neither");
  }
  if (!options.ca_file.empty() && options.certificate_file.empty()) {
    wrong("--webhook-ca-file has no effect without --webhook-cert-file; set both, or neither");
  }
  if (!options.foreign_secret.empty() && (!options.secret.empty() || has_files(options))) {
    wrong("--webhook-foreign-secret excludes --webhook-secret and --webhook-cert-file; set one of them");
  }
  if (!options.secret.empty() && has_files(options)) {
    wrong("--webhook-secret has no effect with --webhook-cert-file; set one of them");
  }
  for (const std::string* name : {&options.secret, &options.foreign_secret}) {
    if (name->empty()) continue;
    if (const auto error = names::validate_dns1123_subdomain(*name)) {
      wrong("the name of the Secret \"" + *name + "\" " + *error);
    }
  }
  if (options.threads < 1) wrong("--webhook-threads must be at least 1, got " + std::to_string(options.threads));
  if (options.drain && *options.drain < Duration::zero()) {
    wrong("--webhook-drain must not be negative, got " + format_duration(*options.drain));
  }
  if (!options.url.empty() && !is_server_url(options.url)) {
    wrong("--webhook-url must have the form https://HOST:PORT, got \"" + options.url + "\"");
  }
  return errors;
}

WebhookServer::WebhookServer(Executor& executor, std::vector<AdmissionWebhook> webhooks, WebhookServerOptions options,
                             MetricsRegistry& metrics)
    : executor_(executor),
      options_(std::move(options)),
      metrics_(metrics),
      handler_(executor, std::move(webhooks),
               {.conversions = options_.conversions,
                .serves_conversions = options_.serves_conversions,
                .calls = {.threads = static_cast<std::size_t>(options_.webhooks.threads)},
                .log = options_.log,
                .metrics = &metrics,
                .tracer = options_.tracer,
                .slow_after = options_.slow_after}),
      mutex_(executor) {}

Result<http::KeyPair> WebhookServer::identity() {
  if (options_.certificate) return *options_.certificate;
  const WebhookOptions& given = options_.webhooks;
  if (!has_files(given)) {
    auto made = http::make_self_signed_key_pair("pintle webhooks", options_.names, executor_.wall_now());
    if (!made) return fail(std::move(made.error()));
    ca_ = std::move(made->authority);
    return std::move(made->server);
  }
  files_.emplace(executor_, http::CertificateFilesOptions{.certificate_file = given.certificate_file,
                                                          .key_file = given.key_file,
                                                          .period = options_.certificate_period,
                                                          .log = options_.log,
                                                          .metrics = &metrics_});
  return files_->read();
}

Result<void> WebhookServer::start() {
  const auto address = address_of(options_.webhooks.listen);
  if (!address) return fail(address.error());
  auto shown = identity();
  if (!shown) return fail(std::move(shown.error()).with_operation("read the certificate of the webhooks"));
  const http::ServerFactory serve = options_.webhooks.serve ? options_.webhooks.serve : http::serve_on_socket;
  auto listening = serve(executor_, handler_,
                         http::ServerOptions{.listen = address->to_string(),
                                             .certificate = shown->certificate,
                                             .key = shown->key,
                                             .max_body_size = max_body_size(),
                                             .stop_timeout = options_.stop_timeout,
                                             .is_ready = options_.is_ready,
                                             .log = options_.log});
  if (!listening) return fail(std::move(listening.error()).with_operation("serve webhooks"));
  server_ = std::move(*listening);
  if (!options_.certificate) note_expiry(*shown);
  if (files_) {
    files_->watch(*shown, [this](const http::KeyPair& next) {
      auto used = server_->set_key_pair(next);
      if (used) note_expiry(next);
      return used;
    });
  }
  is_listening_ = true;
  options_.log.info("serving webhooks", {{"url", server_->url()}});
  return {};
}

void WebhookServer::note_expiry(const http::KeyPair& shown) {
  const auto validity = http::validate_certificates({"", shown.certificate});
  const MutexLock lock(mutex_);
  expiry_ = validity ? validity->front().not_after : WallTime::min();
}

Result<void> WebhookServer::check() const {
  {
    const MutexLock lock(mutex_);
    if (executor_.wall_now() > expiry_) {
      return fail(ErrorCode::unavailable, "the certificate of the webhooks expired at " + format_time(expiry_));
    }
  }
  return handler_.check(max_excess);
}

Result<void> WebhookServer::check_alive() const { return handler_.check(max_excess_of_process); }

void WebhookServer::close() {
  is_listening_ = false;
  if (files_) files_->stop();
  if (server_) server_->stop();
  handler_.request_stop();
}

void WebhookServer::stop() {
  close();
  handler_.stop();
}

}  // namespace pintle
