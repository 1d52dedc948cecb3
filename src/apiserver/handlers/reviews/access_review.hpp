// SPDX-License-Identifier: Apache-2.0
// The reviews of authorization.k8s.io: what a user may do.
#pragma once

#include "apiserver/call/call.hpp"

namespace pintle::apiserver {

// Returns the status of a SubjectAccessReview, a LocalSubjectAccessReview or a SelfSubjectAccessReview. 422: the review
// is invalid.
[[nodiscard]] StatusOr<json::Value> access_status(const Service& service, const Call& call, const json::Value& review);
// Returns the status of a SelfSubjectRulesReview. 400: it has no namespace.
[[nodiscard]] StatusOr<json::Value> rules_status(const Service& service, const Call& call, const json::Value& review);

}  // namespace pintle::apiserver
