// SPDX-License-Identifier: Apache-2.0
#include "policy_match.hpp"

#include <utility>

#include <fmt/format.h>

#include "apiserver/admission/match.hpp"
#include "apiserver/registry/values.hpp"
#include "policy_params.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;

class PolicyMatch {
 public:
  PolicyMatch(const AdmissionContext& context, const Value& object, const Value& old_object)
      : context_(context), object_(object), old_object_(old_object) {}

  void add(const BoundPolicy& bound) {
    const AdmissionPolicy& policy = *bound.policy;
    auto resource = match(policy.match);
    if (!resource) return add_failure(policy, nullptr, resource.error());
    if (*resource == nullptr) return;
    ResourcePtr params;
    if (policy.param_kind) {
      params = context_.catalog->find_kind(policy.param_kind->api_version, policy.param_kind->kind);
      if (params == nullptr) return add_failure(policy, nullptr, describe_missing(*policy.param_kind));
    }
    if (!policy.error.empty()) return add_failure(policy, nullptr, policy.error);
    for (const PolicyBinding& binding : bound.bindings) add_binding(policy, binding, *resource, params.get());
  }

  MatchedPolicies take() { return std::move(out_); }

 private:
  // Error: why the criteria cannot be evaluated.
  tl::expected<ResourcePtr, std::string> match(const MatchCriteria& criteria) const {
    auto matched =
        matched_version(criteria, context_.attributes, object_, old_object_, context_.storage, *context_.catalog);
    if (!matched) return tl::unexpected<std::string>(std::move(matched.error().message));
    if (*matched != nullptr && !criteria.error.empty()) return tl::unexpected<std::string>(criteria.error);
    return std::move(*matched);
  }

  static std::string describe_missing(const AdmissionPolicy::ParamKind& kind) {
    const bool is_core = kind.api_version.find('/') == std::string::npos;
    return fmt::format("failed to find resource referenced by paramKind: '{}{}, Kind={}'", is_core ? "/" : "",
                       kind.api_version, kind.kind);
  }

  void add_failure(const AdmissionPolicy& policy, const PolicyBinding* binding, std::string_view why) {
    if (policy.ignores_failures) return;
    out_.failures.push_back(
        {.policy = policy.name,
         .binding = binding == nullptr ? std::string() : binding->name,
         .message = fmt::format("failed to configure {}: {}", binding == nullptr ? "policy" : "binding", why)});
  }

  void add_binding(const AdmissionPolicy& policy, const PolicyBinding& binding, const ResourcePtr& resource,
                   const Resource* params) {
    auto matched = match(binding.match);
    if (!matched) return add_failure(policy, &binding, matched.error());
    if (*matched == nullptr) return;
    if (params == nullptr || !binding.params) {
      out_.invocations.push_back({.policy = policy, .binding = binding, .resource = resource});
      return;
    }
    auto found = policy_params(context_, *params, *binding.params);
    if (!found) return add_failure(policy, &binding, found.error());
    for (PolicyParams& one : *found) {
      out_.invocations.push_back({.policy = policy,
                                  .binding = binding,
                                  .resource = resource,
                                  .params = std::move(one.object),
                                  .param_key = std::move(one.key)});
    }
  }

  const AdmissionContext& context_;
  const Value& object_;
  const Value& old_object_;
  MatchedPolicies out_;
};

}  // namespace

MatchedPolicies match_policies(const AdmissionContext& context, const std::vector<BoundPolicy>& policies,
                               const Value& object, const Value& old_object) {
  PolicyMatch match(context, object, old_object);
  for (const BoundPolicy& policy : policies) match.add(policy);
  return match.take();
}

Refusal policy_refusal(const AdmissionContext& context, const Value& object, std::string_view message) {
  std::string_view name = context.attributes.name;
  if (name.empty()) name = text_at(object, "/metadata/name");
  if (name.empty()) name = text_at(object, "/metadata/generateName");
  return forbidden(context.attributes.resource.named(name.empty() ? "Unknown" : name), message);
}

}  // namespace pintle::apiserver
