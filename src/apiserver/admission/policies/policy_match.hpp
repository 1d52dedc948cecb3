// SPDX-License-Identifier: Apache-2.0
// Which policies a request must pass, with which bindings and parameters.
#pragma once

#include <string>
#include <vector>

#include <pintle/json/value.hpp>

#include "apiserver/admission/admission_context.hpp"
#include "policy.hpp"

namespace pintle::apiserver {

// One run of a policy.
struct PolicyInvocation {
  const AdmissionPolicy& policy;
  const PolicyBinding& binding;
  ResourcePtr resource{};   // the version in which the policy receives the objects
  json::Value params{};     // null if there are none
  std::string param_key{};  // the storage key of `params`

  // True if both are the same run of the same policy, in two rounds of one request.
  [[nodiscard]] bool is_same(const PolicyInvocation& other) const noexcept {
    return &policy == &other.policy && &binding == &other.binding && param_key == other.param_key;
  }
};

// A failure of a policy that does not ignore failures.
struct PolicyFailure {
  std::string policy{};
  std::string binding{};  // "": a failure of the policy itself
  std::string message{};
};

struct MatchedPolicies {
  std::vector<PolicyInvocation> invocations{};
  std::vector<PolicyFailure> failures{};
};

// `policies` must outlive the result. Match conditions are not evaluated.
[[nodiscard]] MatchedPolicies match_policies(const AdmissionContext& context, const std::vector<BoundPolicy>& policies,
                                             const json::Value& object, const json::Value& old_object);

// The refusal for a denial by a policy: that of Forbidden, whose subject is the object.
[[nodiscard]] Refusal policy_refusal(const AdmissionContext& context, const json::Value& object,
                                     std::string_view message);

}  // namespace pintle::apiserver
