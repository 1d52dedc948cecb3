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

Deployed find_deployed(ClusterReader& cluster, const DoctorOptions& options, const std::string& name) {
  Deployed found{.namespace_ = options.namespace_};
  if (!cluster.server()) return found;
  const auto& deployments = deployments_of(cluster, options, name);
  if (!deployments || deployments->objects.empty()) return found;
  const Object& first = deployments->objects.front();
  found.namespace_ = first.namespace_();
  const json::View args = first["/spec/template/spec/containers/0/args"];
  for (const json::View one : args.elements()) found.arguments.emplace_back(one.text());
  return found;
}

ServiceAccount service_account_of(const Object& deployment) {
  const std::string_view name = deployment["/spec/template/spec/serviceAccountName"].text();
  return {.namespace_ = std::string(deployment.namespace_()), .name = std::string(name.empty() ? "default" : name)};
}

}  // namespace pintle::doctor
