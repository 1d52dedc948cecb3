// SPDX-License-Identifier: Apache-2.0
#include "new/manifests.hpp"

#include <iterator>
#include <string_view>
#include <utility>

#include <pintle/controller/rbac_rule.hpp>
#include <pintle/json/value.hpp>
#include <pintle/manager/manager.hpp>
#include <pintle/object/object.hpp>

#include "manager/deploy/manifests.hpp"

namespace pintle::tools {
namespace {

constexpr const char* version = "0.1.0";

// In the order of the flag tables, in which --print-deploy passes flags on.
std::vector<DeployedFlag> flags() {
  return {{.name = "listen", .text = "0.0.0.0:8443"},
          {.name = "debug", .text = "true", .is_switch = true},
          {.name = "tls", .text = "true", .is_switch = true},
          {.name = "authorize", .text = "true", .is_switch = true},
          {.name = "log-level", .text = "info"},
          {.name = "log-format", .text = "json"}};
}

// The options that main() and these flags set.
ManagerOptions options_of(const ManifestOptions& project) {
  ManagerOptions options{.name = project.name, .version = version, .listen = "0.0.0.0:8443", .debug = true};
  options.serving.tls = options.serving.authorize = true;
  options.leader_election = LeaderElectionOptions{};
  if (!project.platform.empty()) options.clusters = {{.name = project.platform}};
  return options;
}

std::vector<std::string> texts(const json::object& rule, std::string_view member) {
  std::vector<std::string> out;
  const json::Value* list = rule.if_contains(member);
  if (list == nullptr || !list->is_array()) return out;
  for (const json::Value& text : list->as_array()) {
    if (text.is_string()) out.emplace_back(text.as_string());
  }
  return out;
}

Result<RbacRole> role_of(const json::Value& printed) {
  const Object object(printed);
  if (object.kind() != "Role" && object.kind() != "ClusterRole") {
    return fail(ErrorCode::invalid, "not a role: " + json::print(printed));
  }
  RbacRole role{.name = std::string(object.name()), .namespace_ = std::string(object.namespace_())};
  for (const json::Value& rule : printed.at("rules").as_array()) {
    const json::object& members = rule.as_object();
    for (const std::string& group : texts(members, "apiGroups")) {
      for (const std::string& resource : texts(members, "resources")) {
        role.rules.push_back({.group = group,
                              .resource = resource,
                              .verbs = texts(members, "verbs"),
                              .names = texts(members, "resourceNames")});
      }
    }
  }
  return role;
}

Result<void> add_roles(const std::string& printed, std::string_view cluster, std::vector<RbacRole>& roles) {
  if (printed.empty()) return {};
  auto documents = json::parse_yaml_stream(printed);
  if (!documents) return fail(std::move(documents.error()));
  for (const json::Value& document : *documents) {
    auto role = role_of(document);
    if (!role) return fail(std::move(role.error()));
    role->cluster = cluster;
    roles.push_back(std::move(*role));
  }
  return {};
}

}  // namespace

std::vector<std::string> deploy_flags() {
  std::vector<std::string> out;
  for (const DeployedFlag& flag : flags()) {
    out.push_back("--" + flag.name + (flag.is_switch ? "" : "=" + flag.text));
  }
  return out;
}

Result<std::map<std::string, std::string>> project_manifests(const ManifestOptions& project) {
  std::map<std::string, std::string> files;
  for (const DeployFormat format : {DeployFormat::kustomize, DeployFormat::helm}) {
    ManagerOptions options = options_of(project);
    const DeployOptions deploy{.format = format};
    ManifestSource source{.options = options, .deploy = deploy, .flags = flags(), .has_webhooks = project.has_webhooks};
    if (auto set = set_up_for_cluster(options, deploy, source.flags, project.has_webhooks); !set) {
      return fail(std::move(set.error()));
    }
    auto crds = json::parse_yaml_stream(project.crds);
    if (!crds) return fail(std::move(crds.error()));
    source.crds.assign(std::make_move_iterator(crds->begin()), std::make_move_iterator(crds->end()));
    if (auto added = add_roles(project.roles, home_cluster, source.roles); !added) return fail(added.error());
    for (RbacRole& role : source.roles) {
      if (!role.namespace_.empty()) role.namespace_ = deploy_namespace(deploy, options);
    }
    if (auto added = add_roles(project.platform_roles, project.platform, source.roles); !added) {
      return fail(added.error());
    }
    const std::string folder = format == DeployFormat::helm ? "charts/" + project.name + "/" : "deploy/";
    for (const auto& [name, text] : print_deployment(source)) files[folder + name] = deploy_mark(project.name) + text;
  }
  return files;
}

}  // namespace pintle::tools
