// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <string>
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
  if (address->port == 0) {
    return fail(not_deployable("a pod needs a fixed port instead of --" + flag + " " + listen));
  }
  if (!address->is_loopback() && !(address->host.empty() && is_local_without_host)) return {};
  return fail(not_deployable("only the pod itself can connect to --" + flag + " " + listen +
                             "; use 0.0.0.0:" + std::to_string(address->port)));
}

bool consists_of(std::string_view text, bool has_letters, std::string_view more) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    return (c >= '0' && c <= '9') || (has_letters && is_letter) || more.find(c) != std::string_view::npos;
  });
}

// Whether no part between two dots is empty, and the parts consist of digits or, with `has_letters`, of letters, digits
// and hyphens.
bool is_dotted(std::string_view text, bool has_letters) {
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('.', begin), text.size());
    if (!consists_of(text.substr(begin, end - begin), has_letters, has_letters ? "-" : "")) return false;
    begin = end + 1;
  }
  return true;
}

// Whether Helm accepts the version of a chart: "1.2.3-rc.1+build", where the last two numbers may be missing.
bool is_chart_version(std::string_view text) {
  text.remove_prefix(text.starts_with('v') ? 1 : 0);
  const std::size_t plus = std::min(text.find('+'), text.size());
  const std::string_view version = text.substr(0, plus);
  const std::size_t dash = std::min(version.find('-'), version.size());
  const std::string_view core = version.substr(0, dash);
  return is_dotted(core, false) && std::count(core.begin(), core.end(), '.') <= 2 &&
         (dash == version.size() || is_dotted(version.substr(dash + 1), true)) &&
         (plus == text.size() || is_dotted(text.substr(plus + 1), true));
}

// Checks that the version is suitable for the chart and for the tag of the default image.
Result<void> check_version(const ManagerOptions& options, const DeployOptions& deploy) {
  const std::string& version = options.version;
  if (deploy.format == DeployFormat::helm && !is_chart_version(version)) {
    return fail(not_deployable("Helm refuses a chart of version " + quote(version) +
                               "; set ManagerOptions::version to a semantic version such as 0.1.0"));
  }
  constexpr std::size_t max_tag = 128;
  const bool is_tag = version.size() <= max_tag && consists_of(version, true, "_.-") && version.front() != '.' &&
                      version.front() != '-';
  if (deploy.image.empty() && !is_tag) {
    return fail(not_deployable("the version " + quote(version) +
                               " is not a valid tag of the image; set the image with --deploy-image"));
  }
  return {};
}

// Without leader election, two instances would reconcile the same objects at the same time.
Result<void> check_replicas(const ManagerOptions& options, const DeployOptions& deploy) {
  if (deploy.replicas < 0) return fail(not_deployable("--deploy-replicas must not be negative"));
  if (deploy.replicas <= 1 || options.leader_election) return {};
  return fail(not_deployable("--deploy-replicas " + std::to_string(deploy.replicas) +
                             " requires --leader-elect, because several instances would reconcile the same objects at "
                             "the same time"));
}

}  // namespace

Result<void> set_up_for_cluster(ManagerOptions& options, const DeployOptions& deploy, std::vector<DeployedFlag>& flags,
                                bool has_webhooks) {
  if (auto valid = check_replicas(options, deploy); !valid) return valid;
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
  if (auto valid = check_version(options, deploy); !valid) return valid;
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
    // The CRDs are replaced together with the manifests, so the webhooks of a new version must be too.
    if (options.webhooks.install == WebhookPolicy::if_missing && !is_given(flags, "webhook-install")) {
      options.webhooks.install = WebhookPolicy::upgrade;
      flags.push_back({.name = "webhook-install", .text = "upgrade"});
    }
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
