// SPDX-License-Identifier: Apache-2.0
#include "policy_status.hpp"

#include <utility>

#include "apiserver/objects/write.hpp"
#include "apiserver/registry/values.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;

constexpr std::string_view validating_policies = "validatingadmissionpolicies.admissionregistration.k8s.io";

}  // namespace

void PolicyStatus::round() {
  const Version written = service_.storage.last_write(validating_policies);
  if (written == std::exchange(processed_, written)) return;
  for (const Object& policy : service_.storage.objects(validating_policies)) {
    const auto observed = policy["/status/observedGeneration"].as_integer().value_or(0);
    if (policy["/metadata/generation"].as_integer().value_or(0) > observed) report(policy);
  }
}

void PolicyStatus::report(const Object& policy) {
  json::object checked;
  if (json::array warnings = service_.admission.type_warnings(policy); !warnings.empty()) {
    checked["expressionWarnings"] = std::move(warnings);
  }
  const Edit edit{.make = [&](const Value& current) -> StatusOr<Value> {
                    Value next = current;
                    json::object& status = object_in(next, "status");
                    status["observedGeneration"] = policy["/metadata/generation"].to_value();
                    status["typeChecking"] = checked;
                    return next;
                  },
                  .subresource = "status"};
  const ResourcePtr resource = service_.registry.catalog()->of_collection(validating_policies);
  // Fails if the policy has been deleted.
  (void)edit_object(service_, *resource, "", policy.name(), edit, {.manager = "validatingadmissionpolicy-status"});
}

}  // namespace pintle::apiserver
