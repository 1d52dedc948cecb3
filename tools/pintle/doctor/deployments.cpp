// SPDX-License-Identifier: Apache-2.0
#include "doctor/deployments.hpp"

namespace pintle::doctor {

std::string deployment_label(const Program& program) { return "app.kubernetes.io/name=" + program.name; }

const Result<Listing>& deployments_of_program(const CheckInput& input) {
  return input.cluster.list(deployment_type, {.namespace_ = input.options.namespace_,
                                              .label_selector = deployment_label(*input.program)});
}

ServiceAccount service_account_of(const Object& deployment) {
  const std::string_view name = deployment["/spec/template/spec/serviceAccountName"].text();
  return {.namespace_ = std::string(deployment.namespace_()), .name = std::string(name.empty() ? "default" : name)};
}

}  // namespace pintle::doctor
