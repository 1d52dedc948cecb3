// SPDX-License-Identifier: Apache-2.0
// AuditAnnotation: an audit annotation of a webhook or admission policy.
#pragma once

#include <string>

namespace pintle {

/// An audit annotation of one request. A plain value.
struct AuditAnnotation {
  std::string user{};         ///< the sender of the request
  std::string operation{};    ///< "CREATE", "UPDATE" or "DELETE"
  std::string resource{};     ///< "configmaps", "widgets.a.conf.dev"
  std::string subresource{};  ///< "" for the object itself
  std::string namespace_{};
  std::string name{};  ///< "" if the server had not yet generated it, and in a deletion of a collection
  /// "WEBHOOK/KEY" of a webhook, "POLICY/KEY" of a policy, or "validation.policy.admission.k8s.io/validation_failure"
  /// of a policy with the action Audit.
  std::string key{};
  std::string value{};
};

}  // namespace pintle
