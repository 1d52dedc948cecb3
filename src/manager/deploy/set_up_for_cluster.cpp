// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <string_view>
#include <utility>

#include <pintle/base/text.hpp>
#include <pintle/http/listen_address.hpp>
#include <pintle/object/names.hpp>

#include "manifests.hpp"

namespace pintle {
namespace {

// The flags that name a file of the machine on which the manifests are printed.
bool names_a_file(std::string_view flag) {
  return flag.ends_with("-kubeconfig") || flag.ends_with("-cert-file") || flag.ends_with("-key-file") ||
         flag == "webhook-ca-file";
}

bool is_given(const std::vector<DeployedFlag>& flags, std::string_view name) {
  return std::any_of(flags.begin(), flags.end(), [&](const DeployedFlag& flag) { return flag.name == name; });
}

Error not_deployable(std::string what) { return make_error(ErrorCode::invalid, "--print-deploy: " + std::move(what)); }

// Error: invalid, if only this machine could connect.
Result<void> check_reach(const std::string& flag, const std::string& listen, bool is_local_without_host) {
  const auto address = http::parse_listen_address(listen);
  if (!address) return fail(Error(address.error()).with_operation("--" + flag));
  if (!address->is_loopback() && !(address->host.empty() && is_local_without_host)) return {};
  return fail(not_deployable("only the pod itself can connect to --" + flag + " " + listen +
                             "; use 0.0.0.0:" + std::to_string(address->port)));
}

}  // namespace

Result<void> set_up_for_cluster(ManagerOptions& options, const DeployOptions& deploy, std::vector<DeployedFlag>& flags,
                                bool has_webhooks) {
  if (deploy.replicas < 0) return fail(not_deployable("--deploy-replicas must not be negative"));
  const auto check_name = [](const std::string& what, const std::string& name) -> Result<void> {
    const auto error = names::validate_dns1123_label(name);
    return error ? fail(not_deployable(what + " \"" + name + "\" " + *error)) : Result<void>();
  };
  if (auto valid = check_name("the name of the operator", options.name); !valid) return valid;
  if (!deploy.namespace_.empty()) {
    if (auto valid = check_name("--deploy-namespace", deploy.namespace_); !valid) return valid;
  }
  if (deploy.image.find_first_of(" \t\r\n") != std::string::npos) {
    return fail(not_deployable("--deploy-image " + quote(deploy.image) + " must not contain spaces"));
  }
  for (const DeployedFlag& flag : flags) {
    if (!names_a_file(flag.name)) continue;
    return fail(not_deployable("a pod does not have the file of --" + flag.name +
                               "; omit the flag, and add it with its volume to the manifests"));
  }
  if (!options.state_dir.empty()) {
    const std::filesystem::path folder(options.state_dir);
    if (!folder.is_absolute() || !folder.parent_path().has_relative_path()) {
      return fail(not_deployable("a volume cannot be mounted at the parent of --state-dir " + options.state_dir +
                                 "; use an absolute path such as /var/lib/" + options.name + "/state"));
    }
  }
  const auto set_default = [&](const char* flag, std::string& value, const char* text) {
    if (!value.empty()) return;
    value = text;
    flags.push_back({.name = flag, .text = text});
  };
  set_default("listen", options.listen, "0.0.0.0:8080");
  if (auto reached = check_reach("listen", options.listen, true); !reached) return reached;
  if (has_webhooks) {
    set_default("webhook-listen", options.webhooks.listen, "0.0.0.0:9443");
    if (auto reached = check_reach("webhook-listen", options.webhooks.listen, false); !reached) return reached;
  }
  if (!is_given(flags, "crds")) {
    options.crds = CrdPolicy::never;
    flags.push_back({.name = "crds", .text = "never"});
  }
  for (NamedCluster& cluster : options.clusters) {
    if (!cluster.kubeconfig.empty() || cluster.address || cluster.finder) continue;
    cluster.kubeconfig = kubeconfig_in_pod(options.name, cluster.name.value());
    flags.push_back({.name = cluster.name.value() + "-kubeconfig", .text = cluster.kubeconfig});
  }
  if (deploy.format == DeployFormat::helm && !is_given(flags, "log-level")) {
    flags.push_back({.name = "log-level", .text = std::string(to_string(options.log_level))});
  }
  return {};
}

}  // namespace pintle
