// SPDX-License-Identifier: Apache-2.0
#include "mutating_policies.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "policy_mutation.hpp"

namespace pintle::apiserver {

using json::Value;

StatusOr<void> MutatingPolicies::run_again() {
  if (!ran_.empty() && !json::equal(output_, object_)) mark_ran();
  return marked_.empty() ? StatusOr<void>() : run_round(true);
}

StatusOr<void> MutatingPolicies::run_round(bool is_second) {
  if (object_.is_null() || policies_.empty()) return {};
  MatchedPolicies matched = match_policies(context_, policies_, object_, old_object_);
  failures_ = std::move(matched.failures);
  fails_to_evaluate_ = false;
  for (const PolicyInvocation& invocation : matched.invocations) {
    if (is_second && !is_marked(invocation)) continue;
    if (auto done = run_invocation(invocation); !done) return done;
  }
  if (has_changed_ && !is_second) mark_ran();
  if (!ran_.empty()) output_ = object_;
  return outcome();
}

StatusOr<void> MutatingPolicies::run_invocation(const PolicyInvocation& invocation) {
  auto evaluation = PolicyEvaluation::create(context_, invocation, object_, old_object_);
  if (!evaluation) return refuse(std::move(evaluation.error()));
  const auto conditions = evaluation->conditions();
  if (!conditions.error.empty()) add_failure(invocation, conditions.error);
  if (!conditions.error.empty() || !conditions.is_met) return {};
  const Value before = evaluation->object();
  if (auto done = mutate(invocation, *evaluation); !done) return done;
  if (!json::equal(before, evaluation->object())) {
    auto converted = context_.to_version(evaluation->object(), *invocation.resource, context_.attributes.resource);
    if (!converted) return refuse(std::move(converted.error()));
    object_ = std::move(*converted);
    mark_ran();
  }
  if (invocation.policy.may_be_reinvoked) ran_.push_back(invocation);
  return {};
}

StatusOr<void> MutatingPolicies::mutate(const PolicyInvocation& invocation, PolicyEvaluation& evaluation) {
  for (const auto& mutation : invocation.policy.mutations) {
    auto applied = apply_mutation(context_, invocation, mutation, evaluation);
    if (!applied) return refuse(std::move(applied.error()));
    if (applied->failure.empty()) {
      has_changed_ = true;
    } else {
      add_failure(invocation, std::move(applied->failure));
    }
  }
  return {};
}

void MutatingPolicies::add_failure(const PolicyInvocation& invocation, std::string message) {
  if (invocation.policy.ignores_failures) return;
  if (failures_.empty()) fails_to_evaluate_ = true;
  failures_.push_back(
      {.policy = invocation.policy.name, .binding = invocation.binding.name, .message = std::move(message)});
}

StatusOr<void> MutatingPolicies::outcome() const {
  if (failures_.empty()) return {};
  Refusal refusal = policy_refusal(context_, object_, "");
  refusal.message.clear();
  for (const PolicyFailure& failure : failures_) {
    std::string message = failure.binding.empty() ? fmt::format("policy {} denied request: {}",
                                                                json::print(Value(failure.policy)), failure.message)
                                                  : fmt::format("policy '{}' with binding '{}' denied request: {}",
                                                                failure.policy, failure.binding, failure.message);
    if (refusal.message.empty()) refusal.message = message;
    refusal.details->causes.push_back({.message = std::move(message)});
  }
  if (fails_to_evaluate_) refusal.reason = "Invalid";
  return refuse(std::move(refusal));
}

bool MutatingPolicies::is_marked(const PolicyInvocation& invocation) const {
  return std::any_of(marked_.begin(), marked_.end(),
                     [&](const PolicyInvocation& one) { return one.is_same(invocation); });
}

void MutatingPolicies::mark_ran() {
  for (PolicyInvocation& one : ran_) marked_.push_back(std::move(one));
  ran_.clear();
}

}  // namespace pintle::apiserver
