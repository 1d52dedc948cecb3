// SPDX-License-Identifier: Apache-2.0
#include "policy_mutation.hpp"

#include <utility>
#include <vector>

#include <fmt/format.h>

#include <pintle/object/merge/configuration.hpp>

#include "apiserver/expressions/patch_types.hpp"
#include "apiserver/patch/json_patch.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;

MutationOutcome failure(std::string why) { return {.failure = std::move(why)}; }

class PolicyMutation {
 public:
  PolicyMutation(const AdmissionContext& context, const PolicyInvocation& invocation, PolicyEvaluation& evaluation)
      : context_(context), resource_(*invocation.resource), evaluation_(evaluation) {}

  StatusOr<MutationOutcome> patch(const cel::Value& result) {
    const auto operations = patch_to_json(result);
    if (!operations) return failure(operations.error().message);
    Value next = evaluation_.object();
    if (auto applied = apply_json_patch(next, *operations); !applied) {
      // A patch whose test fails is skipped.
      if (applied.error().reason == "test_failed") return MutationOutcome{};
      return failure("JSON Patch: " + applied.error().message);
    }
    std::vector<std::string> unknown;
    if (auto read = fit(next, unknown); !read) return refuse(std::move(read.error()));
    if (!unknown.empty()) {
      return refuse(internal_failure(fmt::format("strict decoding error: unknown field \"{}\"", unknown.front())));
    }
    evaluation_.object() = std::move(next);
    return MutationOutcome{};
  }

  StatusOr<MutationOutcome> merge(const cel::Value& result) {
    auto config = object_to_json(result);
    if (!config) return failure(config.error().message);
    for (const char* name : {"apiVersion", "kind"}) {
      config->as_object()[name] = evaluation_.object().as_object()[name];
    }
    const json::View schema = context_.attributes.is_whole() ? resource_.strategy->schema() : json::View();
    auto merged = merge_configuration(evaluation_.object(), *config, schema);
    if (!merged) return failure("error applying patch: " + merged.error().message);
    std::vector<std::string> unknown;
    if (auto read = fit(*merged, unknown); !read) {
      return failure("error applying patch: failed to convert typed object to object: " + read.error().message);
    }
    evaluation_.object() = std::move(*merged);
    return MutationOutcome{};
  }

 private:
  StatusOr<void> fit(Value& object, std::vector<std::string>& unknown) const {
    return context_.attributes.is_whole() ? read_admitted(object, resource_, unknown) : StatusOr<void>();
  }

  const AdmissionContext& context_;
  const Resource& resource_;
  PolicyEvaluation& evaluation_;
};

}  // namespace

StatusOr<MutationOutcome> apply_mutation(const AdmissionContext& context, const PolicyInvocation& invocation,
                                         const AdmissionPolicy::Mutation& mutation, PolicyEvaluation& evaluation) {
  ExpressionBudget budget(policy_budget);
  const auto activation = evaluation.activation(budget);
  const auto result = budget.evaluate(mutation.expression, activation);
  if (!result) return failure(result.error().message);
  PolicyMutation apply(context, invocation, evaluation);
  return mutation.is_json_patch ? apply.patch(*result) : apply.merge(*result);
}

}  // namespace pintle::apiserver
