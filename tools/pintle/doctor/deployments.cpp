// SPDX-License-Identifier: Apache-2.0
#include "doctor/deployments.hpp"

namespace pintle::doctor {

namespace {

const Result<Listing>& deployments_of(ClusterReader& cluster, const DoctorOptions& options, const std::string& name) {
  return cluster.list(deployment_type, {.namespace_ = options.namespace_, .label_selector = deployment_label(name)});
}

}  // namespace

std::string deployment_label(const std::string& name) { return "app.kubernetes.io/name=" + name; }

const Result<Listing>& deployments_of_program(const CheckInput& input) {
  return deployments_of(input.cluster, input.options, input.program->name);
}

std::vector<std::string> deployed_arguments(ClusterReader& cluster, const DoctorOptions& options,
                                            const std::string& name) {
  std::vector<std::string> arguments;
  if (!cluster.server()) return arguments;
  const auto& deployments = deployments_of(cluster, options, name);
  if (!deployments || deployments->objects.empty()) return arguments;
  const json::View args = deployments->objects.front()["/spec/template/spec/containers/0/args"];
  for (const json::View one : args.elements()) arguments.emplace_back(one.text());
  return arguments;
}

ServiceAccount service_account_of(const Object& deployment) {
  const std::string_view name = deployment["/spec/template/spec/serviceAccountName"].text();
  return {.namespace_ = std::string(deployment.namespace_()), .name = std::string(name.empty() ? "default" : name)};
}

}  // namespace pintle::doctor
