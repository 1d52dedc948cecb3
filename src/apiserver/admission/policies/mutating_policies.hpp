// SPDX-License-Identifier: Apache-2.0
// MutatingPolicies: the MutatingAdmissionPolicies in the admission of one request.
#pragma once

#include <string>
#include <vector>

#include <pintle/json/value.hpp>

#include "apiserver/admission/admission_context.hpp"
#include "policy.hpp"
#include "policy_evaluation.hpp"
#include "policy_match.hpp"

namespace pintle::apiserver {

// Valid as long as the request. `object` is changed. The policies run in the order of their names; kube-apiserver has
// no fixed order.
class MutatingPolicies {
 public:
  MutatingPolicies(const AdmissionContext& context, const std::vector<BoundPolicy>& policies, json::Value& object,
                   const json::Value& old_object)
      : context_(context), policies_(policies), object_(object), old_object_(old_object) {}

  // The first round. A deletion passes, because there is no object to change.
  [[nodiscard]] StatusOr<void> run() { return run_round(false); }
  // The second round: runs those policies with reinvocationPolicy IfNeeded again that ran before a change. As in
  // kube-apiserver, this includes a policy whose own change was the last one.
  [[nodiscard]] StatusOr<void> run_again();
  // True if a mutation was applied, so that the second round must follow.
  [[nodiscard]] bool has_changed() const noexcept { return has_changed_; }

 private:
  StatusOr<void> run_round(bool is_second);
  StatusOr<void> run_invocation(const PolicyInvocation& invocation);
  StatusOr<void> mutate(const PolicyInvocation& invocation, PolicyEvaluation& evaluation);
  void add_failure(const PolicyInvocation& invocation, std::string message);
  StatusOr<void> outcome() const;
  [[nodiscard]] bool is_marked(const PolicyInvocation& invocation) const;
  void mark_ran();

  const AdmissionContext& context_;
  const std::vector<BoundPolicy>& policies_;
  json::Value& object_;
  const json::Value& old_object_;
  json::Value output_{};               // the object after the first round
  std::vector<PolicyInvocation> ran_;  // those to run again if the object changes later
  std::vector<PolicyInvocation> marked_;
  std::vector<PolicyFailure> failures_;
  bool fails_to_evaluate_ = false;  // the first failure is one of an expression
  bool has_changed_ = false;
};

}  // namespace pintle::apiserver
