// SPDX-License-Identifier: Apache-2.0
// The parameters of a policy: the objects that the paramRef of a binding names.
#pragma once

#include <string>
#include <vector>

#include <pintle/json/value.hpp>

#include "apiserver/admission/admission_context.hpp"
#include "policy.hpp"

#include <tl/expected.hpp>

namespace pintle::apiserver {

struct PolicyParams {
  json::Value object{};  // in the version of the paramKind
  std::string key{};     // in the storage
};

// `resource` is that of the paramKind. The error is the text of kube-apiserver, also if no object was found and that
// denies the request.
[[nodiscard]] tl::expected<std::vector<PolicyParams>, std::string> policy_params(const AdmissionContext& context,
                                                                                 const Resource& resource,
                                                                                 const PolicyBinding::ParamRef& ref);

}  // namespace pintle::apiserver
