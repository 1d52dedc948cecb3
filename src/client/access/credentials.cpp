// SPDX-License-Identifier: Apache-2.0
#include "credentials.hpp"

#include <algorithm>
#include <cstdio>
#include <string_view>

#include <pintle/base/text.hpp>
#include <pintle/object/bytes.hpp>

#include "exec_plugin.hpp"
#include "oidc.hpp"

namespace pintle {

namespace {

bool is_token_character(unsigned char c) {
  constexpr std::string_view others = "!#$&'*+-.^_`|~";
  const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  return is_letter || (c >= '0' && c <= '9') || others.find(static_cast<char>(c)) != std::string_view::npos;
}

// Percent-encodes what the name of a header must not contain. The server decodes it.
std::string header_name(std::string_view key) {
  std::string name;
  for (const char c : key) {
    const auto byte = static_cast<unsigned char>(c);
    char escape[4];
    std::snprintf(escape, sizeof(escape), "%%%02X", static_cast<unsigned>(byte));
    name += is_token_character(byte) ? std::string(1, c) : std::string(escape);
  }
  return name;
}

bool has_other_credentials(const Cluster& cluster) {
  return !cluster.token.empty() || !cluster.token_file.empty() || !cluster.username.empty();
}

std::shared_ptr<Programs> programs_of(const CredentialsOptions& options) {
  if (options.programs != nullptr || options.executor.scheduler() != nullptr) return options.programs;
  return make_real_programs(options.executor);
}

}  // namespace

std::shared_ptr<const http::Headers> impersonation_headers(const Impersonation& as) {
  if (as.user.empty()) return nullptr;
  http::Headers headers;
  headers.set("Impersonate-User", as.user);
  if (!as.uid.empty()) headers.set("Impersonate-Uid", as.uid);
  for (const std::string& group : as.groups) headers.add("Impersonate-Group", group);
  for (const auto& [key, values] : as.extra) {
    for (const std::string& value : values) headers.add("Impersonate-Extra-" + header_name(key), value);
  }
  return std::make_shared<const http::Headers>(std::move(headers));
}

std::string basic_authorization(const Cluster& cluster) {
  if (cluster.username.empty()) return {};
  return "Basic " + Bytes(cluster.username + ":" + cluster.password).to_base64();
}

void RequestCredentials::apply(http::Request& request) const {
  request.endpoint = endpoint;
  if (!authorization.empty()) request.headers.set("Authorization", authorization);
  if (impersonation == nullptr) return;
  http::Headers done;
  for (const auto& [name, value] : *impersonation) {
    if (done.get(name)) {
      request.headers.add(name, value);
    } else {
      request.headers.set(name, value);  // a repeated request has the header already
    }
    done.add(name, {});
  }
}

Credentials::Credentials(CredentialsOptions options)
    : basic_(basic_authorization(options.cluster)),
      impersonation_(impersonation_headers(options.cluster.impersonation)),
      token_(options.executor, options.cluster, options.log),
      files_(options.executor, options.cluster, options.log),
      executor_(options.executor),
      mutex_(options.executor),
      renewal_(make_renewal(options)) {}

std::unique_ptr<Renewal> Credentials::make_renewal(const CredentialsOptions& options) {
  const Cluster& cluster = options.cluster;
  if (has_other_credentials(cluster)) return nullptr;
  const bool has_certificate = cluster.endpoint != nullptr && !cluster.endpoint->client_certificate.empty();
  if (cluster.exec != nullptr && !has_certificate) {
    return std::make_unique<Renewal>(
        options.executor, "credentials",
        [plugin = cluster.exec, programs = programs_of(options), origin = cluster.origin, &executor = options.executor,
         log = options.log, metrics = std::make_shared<ExecPluginMetrics>(options.metrics)](std::stop_token stop) {
          auto obtained = run_exec_plugin(*plugin, programs.get(), origin, std::move(stop), *metrics, log);
          if (obtained) metrics->note_certificate(obtained->certificate, executor.wall_now());
          return obtained;
        });
  }
  if (cluster.oidc == nullptr) return nullptr;
  auto session =
      std::make_shared<OidcSession>(*cluster.oidc, options.executor, options.transport, options.log, cluster.origin);
  return std::make_unique<Renewal>(options.executor, "credentials",
                                   [session](std::stop_token stop) { return session->obtain(std::move(stop)); });
}

Result<RequestCredentials> Credentials::get(const std::stop_token& stop) {
  return renewal_ == nullptr ? with_token() : of(renewal_->get(stop));
}

std::optional<Result<RequestCredentials>> Credentials::try_get(Receiver receiver) {
  if (renewal_ == nullptr) return with_token();
  const auto credential = renewal_->try_get(
      [this, receiver = std::move(receiver)](const Result<Renewal::Credential>& obtained) { receiver(of(obtained)); });
  if (!credential) return std::nullopt;
  return of(*credential);
}

void Credentials::on_unauthorized(Instant sent) {
  token_.on_unauthorized(sent);
  files_.expire();
  if (renewal_ != nullptr) renewal_->reject(sent);
}

void Credentials::add_observer(std::weak_ptr<EndpointObserver> observer) {
  const MutexLock lock(mutex_);
  std::erase_if(observers_, [](const auto& one) { return one.expired(); });
  observers_.push_back(std::move(observer));
}

Result<RequestCredentials> Credentials::with_token() {
  const auto token = token_.token();
  if (!token) return fail(token.error());
  return RequestCredentials{.endpoint = endpoint_for(nullptr),
                            .authorization = token->empty() ? basic_ : "Bearer " + *token,
                            .impersonation = impersonation_};
}

Result<RequestCredentials> Credentials::of(const Result<Renewal::Credential>& credential) {
  if (!credential) return fail(credential.error());
  const ObtainedCredential& obtained = **credential;
  return RequestCredentials{.endpoint = endpoint_for(&obtained),
                            .authorization = obtained.token.empty() ? "" : "Bearer " + obtained.token,
                            .impersonation = impersonation_};
}

// Returns the same pointer as before unless a certificate or key differs.
std::shared_ptr<const http::Endpoint> Credentials::endpoint_for(const ObtainedCredential* credential) {
  std::shared_ptr<const http::Endpoint> base = files_.endpoint();
  std::shared_ptr<const http::Endpoint> made = base;
  std::vector<std::weak_ptr<EndpointObserver>> observers;
  {
    const MutexLock lock(mutex_);
    if (credential != nullptr && !credential->certificate.empty()) {
      const bool is_same = last_base_ == base && last_ != nullptr &&
                           last_->client_certificate == credential->certificate && last_->client_key == credential->key;
      if (is_same) return last_;
      auto own = std::make_shared<http::Endpoint>(*base);
      own->client_certificate = credential->certificate;
      own->client_key = credential->key;
      if (last_ != nullptr) own->replaced_at = executor_.now();
      made = std::move(own);
    }
    if (last_ != nullptr && last_ != made) observers = observers_;
    last_base_ = std::move(base);
    last_ = made;
  }
  for (const auto& weak : observers) {
    if (const auto observer = weak.lock()) observer->on_endpoint_change();
  }
  return made;
}

}  // namespace pintle
