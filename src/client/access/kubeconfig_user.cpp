// SPDX-License-Identifier: Apache-2.0
#include "kubeconfig_user.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include <pintle/base/text.hpp>
#include <pintle/json/value.hpp>
#include <pintle/object/bytes.hpp>

namespace pintle {

namespace {

constexpr std::string_view exec_extension = "client.authentication.k8s.io/exec";

// The text becomes the value of a header, where a line break would begin another header.
bool is_header_text(std::string_view text) {
  return std::ranges::none_of(text, [](unsigned char c) { return c < ' ' || c == 0x7f; });
}

void read_basic(EntryReader& user, Cluster& result) {
  result.username = user.text("username");
  result.password = user.text("password");
  if (result.username.empty() && !result.password.empty()) user.error("password has no username");
  if (result.username.find(':') != std::string::npos) user.error("username must not contain \":\"");
  if (!result.username.empty() && !(result.token.empty() && result.token_file.empty())) {
    user.error("has both a token and a username; remove one of them");
  }
}

void read_impersonation(EntryReader& user, Impersonation& as) {
  as.user = user.text("as");
  as.uid = user.text("as-uid");
  as.groups = user.texts("as-groups");
  for (const auto& [key, values] : user.object("as-user-extra")) {
    std::vector<std::string> texts;
    if (!values.is_array() || !std::ranges::all_of(values.get_array(), [](const auto& v) { return v.is_string(); })) {
      user.error("as-user-extra must contain lists of strings");
      return;
    }
    for (const json::Value& value : values.get_array()) texts.emplace_back(value.get_string());
    if (key.empty()) user.error("as-user-extra has an empty key");
    as.extra.emplace_back(std::string(key), std::move(texts));
  }
  if (as.user.empty() && !(as.uid.empty() && as.groups.empty() && as.extra.empty())) {
    user.error("has as-uid, as-groups or as-user-extra without \"as\"; add the user to impersonate");
  }
  bool is_valid = is_header_text(as.user) && is_header_text(as.uid) && std::ranges::all_of(as.groups, is_header_text);
  for (const auto& [key, values] : as.extra) is_valid = is_valid && std::ranges::all_of(values, is_header_text);
  if (!is_valid) user.error("impersonates with a value that contains a control character, such as a line break");
}

// The part spec.cluster of the information for a plugin.
std::string cluster_info(EntryReader& cluster, const http::Endpoint& endpoint) {
  json::object info{{"server", cluster.text("server")}};
  if (!endpoint.server_name.empty()) info["tls-server-name"] = endpoint.server_name;
  if (endpoint.insecure) info["insecure-skip-tls-verify"] = true;
  if (!endpoint.ca.empty()) info["certificate-authority-data"] = Bytes(endpoint.ca).to_base64();
  if (const std::string proxy = cluster.text("proxy-url"); !proxy.empty()) info["proxy-url"] = proxy;
  if (cluster.flag("disable-compression")) info["disable-compression"] = true;
  for (const json::Value& extension : cluster.array("extensions")) {
    const json::object* named = extension.if_object();
    const json::Value* name = named == nullptr ? nullptr : named->if_contains("name");
    const json::Value* content = named == nullptr ? nullptr : named->if_contains("extension");
    if (name != nullptr && content != nullptr && name->is_string() && name->get_string() == exec_extension) {
      info["config"] = *content;
    }
  }
  return json::print(info);
}

InteractiveMode read_mode(EntryReader& exec, bool is_required) {
  const std::string mode = exec.text("interactiveMode");
  if (mode == "Never") return InteractiveMode::never;
  if (mode == "Always") return InteractiveMode::always;
  if (mode != "IfAvailable" && (is_required || !mode.empty())) {
    exec.error("interactiveMode must be Never, IfAvailable or Always");
  }
  return InteractiveMode::if_available;
}

std::vector<std::pair<std::string, std::string>> read_environment(EntryReader& exec) {
  std::vector<std::pair<std::string, std::string>> environment;
  for (const json::Value& item : exec.array("env")) {
    const json::object* variable = item.if_object();
    const auto text = [&](std::string_view field) {
      const json::Value* value = variable == nullptr ? nullptr : variable->if_contains(field);
      return value != nullptr && value->is_string() ? std::string(value->get_string()) : std::string();
    };
    const std::string name = text("name");
    if (name.empty() || name.find('=') != std::string::npos) exec.error("env must be a list of objects with a name");
    environment.emplace_back(name, text("value"));
  }
  return environment;
}

void read_exec(EntryReader& exec, EntryReader& cluster, const http::Endpoint& endpoint, Cluster& result) {
  if (!exec.may_name_files()) {
    exec.error("a credential plugin is only allowed in a kubeconfig file; use a token or a client certificate");
    return;
  }
  constexpr std::string_view v1 = "client.authentication.k8s.io/v1";
  constexpr std::string_view v1beta1 = "client.authentication.k8s.io/v1beta1";
  ExecPlugin plugin{.api_version = exec.text("apiVersion"), .command = exec.text("command")};
  if (plugin.api_version != v1 && plugin.api_version != v1beta1) {
    exec.error("apiVersion must be " + std::string(v1) + " or " + std::string(v1beta1));
  }
  if (plugin.command.empty()) exec.error("has no command");
  // A name without a slash is searched in $PATH.
  if (plugin.command.find('/') != std::string::npos) plugin.command = exec.path("command");
  plugin.arguments = exec.texts("args");
  plugin.environment = read_environment(exec);
  plugin.interactive_mode = read_mode(exec, plugin.api_version == v1);
  plugin.install_hint = exec.text("installHint");
  if (exec.flag("provideClusterInfo")) plugin.cluster_info = cluster_info(cluster, endpoint);
  result.exec = std::make_shared<const ExecPlugin>(std::move(plugin));
}

void read_oidc(EntryReader& config, Cluster& result) {
  OidcProvider provider{.issuer_url = config.text("idp-issuer-url"),
                        .client_id = config.text("client-id"),
                        .client_secret = config.text("client-secret"),
                        .id_token = config.text("id-token"),
                        .refresh_token = config.text("refresh-token"),
                        .ca = config.pem("idp-certificate-authority").text};
  if (!provider.issuer_url.starts_with("https://")) config.error("idp-issuer-url must begin with https://");
  if (provider.client_id.empty()) config.error("has no client-id");
  if (!provider.ca.empty()) {
    const auto valid = http::validate_certificates({.name = "idp-certificate-authority", .text = provider.ca});
    if (!valid) config.error(valid.error().message);
  }
  result.oidc = std::make_shared<const OidcProvider>(std::move(provider));
}

void read_provider(EntryReader& user, Cluster& result) {
  if (!user.may_name_files()) {
    user.error("an auth-provider is only allowed in a kubeconfig file; use a token or a client certificate");
    return;
  }
  const KubeconfigEntry entry = user.nested("auth-provider");
  EntryReader provider(entry, "auth-provider of user");
  const std::string name = provider.text("name");
  const KubeconfigEntry config_entry = provider.nested("config");
  EntryReader config(config_entry, "auth-provider of user");
  if (name == "oidc") {
    read_oidc(config, result);
  } else {
    provider.note_unsupported("the name must be oidc; Kubernetes removed other providers in 1.26");
  }
  user.adopt(provider);
  user.adopt(config);
}

}  // namespace

void read_credentials(EntryReader& user, EntryReader& cluster, const http::Endpoint& endpoint, Cluster& result) {
  result.token = user.text("token");
  if (!is_visible_ascii(result.token))
    user.error("token contains characters that are not allowed in a bearer token, such as a line break; correct it");
  result.token_file = user.path("tokenFile");
  read_basic(user, result);
  read_impersonation(user, result.impersonation);
  if (user.has("exec") && user.has("auth-provider")) user.error("has both exec and auth-provider; remove one of them");
  if (user.has("exec")) {
    const KubeconfigEntry entry = user.nested("exec");
    EntryReader exec(entry, "exec of user");
    read_exec(exec, cluster, endpoint, result);
    user.adopt(exec);
  } else if (user.has("auth-provider")) {
    read_provider(user, result);
  }
}

}  // namespace pintle
