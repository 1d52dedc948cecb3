// SPDX-License-Identifier: Apache-2.0
#include "kubeconfig.hpp"

#include <memory>
#include <utility>

#include <pintle/base/text.hpp>
#include <pintle/http/pem.hpp>
#include <pintle/http/server_url.hpp>
#include <pintle/object/names.hpp>

#include "certificate_dates.hpp"
#include "kubeconfig_entry_reader.hpp"
#include "kubeconfig_file.hpp"
#include "kubeconfig_user.hpp"
#include "proxy.hpp"

namespace pintle {

namespace {

Error config_error(const Kubeconfig& config, std::string what) {
  return make_error(ErrorCode::invalid, "kubeconfig " + config.files + ": " + std::move(what));
}

Result<const KubeconfigEntry*> choose_context(const Kubeconfig& config, std::string_view name) {
  if (config.contexts.empty()) return config_error(config, "has no contexts; add one, or specify another file");
  const std::string wanted(name.empty() ? std::string_view(config.current_context) : name);
  if (wanted.empty()) {
    return config_error(config, "current-context is not set; set it to one of: " + names_of(config.contexts));
  }
  if (const KubeconfigEntry* context = find_entry(config.contexts, wanted)) return context;
  return config_error(config, (name.empty() ? "current-context is \"" : "there is no context \"") + wanted +
                                  (name.empty() ? "\", which does not exist" : "\"") +
                                  "; choose one of: " + names_of(config.contexts));
}

// Returns the cluster or user that a context names, or null after an error.
const KubeconfigEntry* referred(EntryReader& context, std::string_view field, const KubeconfigEntries& entries) {
  const std::string name = context.text(field);
  const std::string what(field);
  if (name.empty()) {
    context.error("names no " + what + "; add \"" + what + ":\" with one of: " + names_of(entries));
    return nullptr;
  }
  const KubeconfigEntry* entry = find_entry(entries, name);
  if (entry == nullptr) {
    context.error(what + " \"" + name + "\" is not in the " + what + "s of the file; there are: " + names_of(entries));
  }
  return entry;
}

bool sends_certificate(EntryReader& user) {
  return user.has("client-certificate") || user.has("client-certificate-data");
}

std::string read_authority(EntryReader& cluster, Cluster& result, std::optional<WallTime> now) {
  EntryReader::Pem ca = cluster.pem("certificate-authority");
  if (ca.text.empty()) return {};
  if (const auto checked = http::validate_certificates(ca.view())) {
    warn_of_expired_authority(result, ca.name, *checked, now);
  } else {
    cluster.error(checked.error().message);
  }
  result.ca_file = std::move(ca.file);
  return std::move(ca.text);
}

// Reads the address of the server and the settings that verify it.
http::Endpoint read_cluster(EntryReader& cluster, bool with_certificate, Cluster& result, std::optional<WallTime> now) {
  const std::string server = cluster.text("server");
  const std::string ca = read_authority(cluster, result, now);
  const bool insecure = cluster.flag("insecure-skip-tls-verify");
  if (server.empty()) cluster.error("has no server; add \"server: https://HOST:PORT\"");
  auto endpoint = http::parse_server_url(server, !ca.empty() || insecure || with_certificate);
  if (!endpoint) {
    cluster.error("server " + endpoint.error().message);
    return {};
  }
  if (insecure && !ca.empty()) {
    cluster.error("has both insecure-skip-tls-verify and a certificate-authority; remove one of them");
  }
  endpoint->ca = ca;
  endpoint->insecure = insecure;
  endpoint->server_name = cluster.text("tls-server-name");
  if (auto good = http::validate_server_name(endpoint->server_name); !endpoint->server_name.empty() && !good) {
    cluster.error("tls-server-name " + good.error().message);
  }
  endpoint->proxy = cluster.text("proxy-url");
  if (auto good = http::validate_proxy_url(endpoint->proxy); !endpoint->proxy.empty() && !good) {
    cluster.error("proxy-url " + good.error().message);
  }
  return std::move(*endpoint);
}

void read_certificate(EntryReader& user, http::Endpoint& endpoint, Cluster& cluster, std::optional<WallTime> now) {
  EntryReader::Pem certificate = user.pem("client-certificate");
  EntryReader::Pem key = user.pem("client-key");
  if (certificate.text.empty() != key.text.empty()) {
    user.error(key.text.empty() ? "client-certificate has no client-key" : "client-key has no client-certificate");
  }
  if (certificate.text.empty() || key.text.empty()) return;
  const auto checked = http::validate_key_pair(certificate.view(), key.view());
  if (!checked) {
    user.error(checked.error().message);
  } else if (auto current = check_client_certificate(cluster, certificate.name, *checked, now); !current) {
    user.error(current.error().message);
  }
  endpoint.client_certificate = std::move(certificate.text);
  endpoint.client_key = std::move(key.text);
  cluster.client_certificate_file = std::move(certificate.file);
  cluster.client_key_file = std::move(key.file);
}

// The proxy of the environment applies if the kubeconfig has none.
void read_environment_proxy(EntryReader& cluster, http::Endpoint& endpoint) {
  if (!endpoint.proxy.empty()) return;
  if (auto proxy = proxy_from_environment(endpoint)) {
    endpoint.proxy = std::move(*proxy);
  } else {
    cluster.error(proxy.error().message);
  }
}

// A plugin is not run if the user has other credentials, as in kubectl.
void warn_of_unused_plugin(Cluster& cluster, const http::Endpoint& endpoint) {
  const bool has_other = !cluster.token.empty() || !cluster.token_file.empty() || !cluster.username.empty() ||
                         !endpoint.client_certificate.empty();
  if (cluster.exec == nullptr || !has_other) return;
  cluster.warnings.push_back("credential plugin " + cluster.exec->command + " of " + cluster.origin +
                             " is not used, because the user has a token, a user name or a client certificate");
  cluster.exec = nullptr;
}

// Adds warnings about insecure settings, and removes a token that would be sent without TLS.
void warn(Cluster& cluster, const http::Endpoint& endpoint) {
  if (endpoint.tls && endpoint.insecure) {
    cluster.warnings.push_back("the certificate of " + endpoint.url() +
                               " is not verified (insecure-skip-tls-verify of " + cluster.origin +
                               "); any host on the network path can read and change all data");
  }
  const bool has_token = !cluster.token.empty() || !cluster.token_file.empty();
  const bool has_other = !cluster.username.empty() || cluster.exec != nullptr || cluster.oidc != nullptr;
  if (!endpoint.tls && (has_token || has_other)) {
    cluster.warnings.push_back(std::string(has_token ? "the token of " : "the credential of ") + cluster.origin +
                               " is not sent: " + endpoint.url() +
                               " does not use https, so any host on the network path could read " +
                               (has_token ? "the token" : "it"));
    cluster.token.clear();
    cluster.token_file.clear();
    cluster.username.clear();
    cluster.password.clear();
    cluster.exec = nullptr;
    cluster.oidc = nullptr;
  }
}

// Reads the entries of a cluster and of a user into `result`.
Result<void> read_access(EntryReader& cluster, EntryReader& user, Cluster& result, std::optional<WallTime> now) {
  http::Endpoint endpoint = read_cluster(cluster, sends_certificate(user), result, now);
  if (cluster.result()) read_environment_proxy(cluster, endpoint);
  if (auto good = cluster.result(); !good) return good;
  read_credentials(user, cluster, endpoint, result);
  read_certificate(user, endpoint, result, now);
  for (const EntryReader* entry : {&user, &cluster}) {
    if (auto good = entry->result(); !good) return good;
  }
  warn_of_unused_plugin(result, endpoint);
  warn(result, endpoint);
  result.endpoint = std::make_shared<const http::Endpoint>(std::move(endpoint));
  return {};
}

// Builds the Cluster of a context.
Result<Cluster> cluster_of(const Kubeconfig& config, std::string_view context_name, std::optional<WallTime> now) {
  const auto chosen = choose_context(config, context_name);
  if (!chosen) return fail(chosen.error());

  EntryReader context(**chosen, "context");
  const KubeconfigEntry* cluster_entry = referred(context, "cluster", config.clusters);
  // As in kubectl, a context without a user is anonymous, for example with "kubectl proxy".
  const KubeconfigEntry anonymous{.file = (*chosen)->file};
  const bool has_user = !context.text("user").empty();
  const KubeconfigEntry* user_entry = has_user ? referred(context, "user", config.users) : &anonymous;
  Cluster result;
  result.origin = "context " + (*chosen)->name + " of " + (*chosen)->file;
  if (const std::string name = context.text("namespace"); !name.empty()) {
    if (auto error = names::validate_dns1123_label(name)) context.error("namespace \"" + name + "\" " + *error);
    result.namespace_ = name;
  }
  if (auto good = context.result(); !good) return fail(std::move(good.error()));

  EntryReader cluster(*cluster_entry, "cluster");
  EntryReader user(*user_entry, "user");
  if (auto done = read_access(cluster, user, result, now); !done) return fail(std::move(done.error()));
  return result;
}

}  // namespace

Result<Cluster> load_kubeconfigs(const std::vector<std::string>& files, std::string_view context,
                                 std::optional<WallTime> now) {
  const auto config = read_kubeconfigs(files);
  if (!config) return fail(config.error());
  return cluster_of(*config, context, now);
}

Result<Cluster> parse_kubeconfig(std::string_view text, const std::string& origin, std::string_view context,
                                 std::optional<WallTime> now) {
  const auto config = read_kubeconfig_text(text, origin);
  if (!config) return fail(config.error());
  return cluster_of(*config, context, now);
}

Result<Cluster> load_kubeconfig(const std::string& file, std::string_view context, std::optional<WallTime> now) {
  return load_kubeconfigs({file}, context, now);
}

}  // namespace pintle
