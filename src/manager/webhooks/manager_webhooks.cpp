// SPDX-License-Identifier: Apache-2.0
// The webhooks of a manager: checks, server, certificate, and configurations.
#include <algorithm>
#include <chrono>
#include <set>
#include <utility>

#include <pintle/base/file.hpp>
#include <pintle/json/document.hpp>
#include <pintle/object/schema/crd.hpp>

#include "manager/manager_state.hpp"
#include "webhook/certificates/certificate_place.hpp"
#include "webhook_installer.hpp"

namespace pintle {
namespace {

constexpr Duration default_drain = std::chrono::seconds(5);

}  // namespace

void Manager::add(AnyAdmission admission) { state_->admissions.push_back(std::move(admission)); }
Result<std::string> Manager::print_webhooks() const { return state_->print_webhooks(); }
std::string Manager::webhook_listen_address() const { return state_->webhook_listen_address; }

std::vector<Error> Manager::State::admission_errors() const {
  std::vector<Error> errors;
  std::set<std::string> names;
  for (const AnyAdmission& one : admissions) {
    if (!names.insert(one.name).second) {
      errors.push_back(make_error(
          ErrorCode::invalid, "two admissions have the name \"" + one.name + "\"; change the .name of one of them"));
    }
    for (Error& error : validate(one)) errors.push_back(std::move(error));
  }
  for (Error& error : validate_webhook_reach(admissions, webhook_address(options.webhooks.service_namespace, ""))) {
    errors.push_back(std::move(error));
  }
  return errors;
}

WebhookAddress Manager::State::webhook_address(const std::string& namespace_, const std::string& ca) const {
  const WebhookOptions& given = options.webhooks;
  return {.url = given.url,
          .service = given.service.empty() ? options.name : given.service,
          .namespace_ = given.service_namespace.empty() ? namespace_ : given.service_namespace,
          .port = given.service_port,
          .ca = ca};
}

// Returns the address for configurations and CRDs that are printed, without a cluster.
Result<WebhookAddress> Manager::State::printed_address() const {
  const WebhookOptions& given = options.webhooks;
  if (given.service_namespace.empty() && given.url.empty()) {
    return fail(ErrorCode::invalid,
                "the namespace of the service is unknown, because no cluster and no kubeconfig is read; set "
                "--webhook-service-namespace");
  }
  std::string ca;
  if (!given.ca_file.empty()) {
    auto read = read_file(given.ca_file);
    if (!read) return fail(std::move(read.error()));
    ca = std::move(*read);
  }
  return webhook_address("", ca);
}

Result<std::string> Manager::State::print_webhooks() const {
  if (admissions.empty()) return std::string();
  const auto address = printed_address();
  if (!address) return fail(address.error());
  std::string text;
  for (const json::Value& one : webhook_configurations(admissions, options.name, *address)) {
    text += "---\n" + json::print_yaml(one);
  }
  return text;
}

Result<void> Manager::State::serve_webhooks() {
  const std::vector<AnyConversion> converted = own_conversions();
  if ((admissions.empty() && converted.empty()) || is_planning_) return {};
  if (executor.scheduler() != nullptr && !options.webhooks.serve) {
    return fail(ErrorCode::invalid,
                "webhooks are served on sockets, which a simulation does not have; set WebhookOptions::serve, as "
                "testkit::Instance does");
  }
  const WebhookAddress address = webhook_address(home().client().cluster().namespace_, "");
  auto certificate = shared_certificate(address);
  if (!certificate) return fail(std::move(certificate.error()));
  webhook_server_ = std::make_unique<WebhookServer>(
      executor, webhooks_of(admissions),
      WebhookServerOptions{.webhooks = options.webhooks,
                           .names = certificate_hosts(options.webhooks, address),
                           .certificate = std::move(*certificate),
                           .conversions = converted,
                           .stop_timeout = std::min<Duration>(options.stop_timeout, std::chrono::seconds(10)),
                           .log = log_,
                           .tracer = webhook_tracer(),
                           .is_ready = [this] { return receives_calls(); }},
      metrics);
  if (auto listening = webhook_server_->start(); !listening) {
    // A usage error, because other flags can correct it.
    listening.error().code = ErrorCode::invalid;
    return listening;
  }
  const std::string url = webhook_server_->url();
  webhook_listen_address = url.substr(url.find("//") + 2);
  if (certificates_ != nullptr) {
    certificates_->start([this](const http::KeyPair& next) { return webhook_server_->set_key_pair(next); });
  }
  return {};
}

bool Manager::State::receives_calls() const {
  {
    const MutexLock lock(mutex_);
    if (phase_ == Phase::running || phase_ == Phase::stopping) return true;
  }
  return is_ready_to_convert();
}

Result<void> Manager::State::check_webhooks_alive() const {
  // The server is created before the manager is ready.
  return is_ready() && webhook_server_ != nullptr ? webhook_server_->check_alive() : Result<void>();
}

// The pod is not ready any more, but API servers call the webhooks until the proxies of all nodes have been updated.
Instant Manager::State::drain_webhooks(Instant deadline) {
  if (webhook_server_ == nullptr) return executor.now();
  webhook_server_->drain();
  const bool is_pod = executor.scheduler() != nullptr || home().client().cluster().origin == in_cluster_origin;
  const Duration time = options.webhooks.drain.value_or(is_pod ? default_drain : Duration::zero());
  return std::min(deadline, after(executor.now(), time));
}

// Null without a tracer.
std::shared_ptr<Tracer> Manager::State::webhook_tracer() const {
  return tracing_ == nullptr ? nullptr : std::shared_ptr<Tracer>(tracing_, &tracing_->tracer());
}

// Returns the converted CRDs in other clusters, each once.
std::vector<BundleTarget> Manager::State::targets_of_other_clusters() const {
  std::vector<BundleTarget> targets;
  std::set<std::pair<std::string, std::string>> known;
  for (const DeclaredCrd& one : declared_crds(specs, own_conversions())) {
    if (!one.is_converted || one.cluster == home_cluster) continue;
    const json::Document crd(one.crd);
    std::string name(CrdView(crd.root()).name());
    if (!known.emplace(one.cluster, name).second) continue;
    targets.push_back({.kind = crd_type,
                       .name = std::move(name),
                       .client = &clusters_.find(one.cluster)->second->client(),
                       .cluster = one.cluster});
  }
  return targets;
}

// Obtains the certificate from a Secret, or from files with their authorities. Returns none if it is in files without
// authorities, or generated.
Result<std::optional<http::KeyPair>> Manager::State::shared_certificate(const WebhookAddress& address) {
  const WebhookOptions& given = options.webhooks;
  if (!are_authorities_kept(given)) return std::nullopt;
  Client& client = home().client();
  std::unique_ptr<CertificateSource> source;
  if (!is_certificate_in_secret(given)) {
    source = file_source(executor, {.certificate_file = given.certificate_file,
                                    .key_file = given.key_file,
                                    .ca_file = given.ca_file,
                                    .metrics = &metrics});
  } else if (!given.foreign_secret.empty()) {
    source = given_secret_source(client, {.namespace_ = address.namespace_, .name = given.foreign_secret});
  } else {
    const std::string name = own_secret_name(given, options.name);
    source = own_secret_source(client, {.secret = {.namespace_ = address.namespace_, .name = name},
                                        .manager = options.name,
                                        .profile = {.names = certificate_hosts(given, address)},
                                        .log = log_});
  }
  std::vector<BundleTarget> targets;
  for (const json::Value& one : webhook_configurations(admissions, options.name, address)) {
    targets.push_back({.kind = Object(one).group_version_kind(), .name = options.name});
  }
  for (const AnyConversion& one : own_conversions()) {
    targets.push_back({.kind = crd_type, .name = crd_name_of(one)});
  }
  for (BundleTarget& one : targets_of_other_clusters()) targets.push_back(std::move(one));
  certificates_ = std::make_unique<ServingCertificates>(
      client, std::move(source),
      ServingCertificatesOptions{.address = address, .targets = std::move(targets), .log = log_});
  auto ready = certificates_->wait_until_ready(options.sync_timeout, stop_.get_token());
  if (!ready) return fail(std::move(ready.error()));
  return std::optional(std::move(*ready));
}

std::string Manager::State::webhook_authorities() const {
  return certificates_ != nullptr ? certificates_->bundle() : webhook_server_->ca();
}

// Must be called when the server listens, because the API server calls the webhooks immediately afterwards.
Result<void> Manager::State::install_webhooks() {
  if (is_planning_) return {};
  Client& client = home().client();
  WebhookInstaller installer(client, log_, options.name, options.version, options.webhooks.install,
                             options.sync_timeout);
  if (auto done = install_webhooks(client, installer); !done) return done;
  for (const GroupVersionKind& kind : undeclared_configurations(options.webhooks.install, admissions)) {
    if (auto done = installer.remove_undeclared(kind, stop_.get_token()); !done) return done;
  }
  return {};
}

Result<void> Manager::State::install_webhooks(const Client& client, WebhookInstaller& installer) {
  if (webhook_server_ == nullptr) return {};
  // An operator that is reached by a URL is outside of the cluster, so no namespace contains it.
  const std::string namespace_ = options.webhooks.url.empty() ? client.cluster().namespace_ : "";
  const auto latest = [&] {
    return webhook_configurations(admissions, options.name, webhook_address(namespace_, webhook_authorities()));
  };
  const std::size_t count = latest().size();
  for (std::size_t i = 0; i < count; ++i) {
    if (auto done = installer.ensure([&] { return latest().at(i); }, stop_.get_token()); !done) return done;
  }
  return {};
}

}  // namespace pintle
