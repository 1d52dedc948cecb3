// SPDX-License-Identifier: Apache-2.0
// AdmissionPolicy: a ValidatingAdmissionPolicy or MutatingAdmissionPolicy, ready for use, and its bindings.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <pintle/cel/program.hpp>
#include <pintle/object/object.hpp>
#include <pintle/object/selector.hpp>

#include "apiserver/admission/match_criteria.hpp"

namespace pintle::apiserver {

enum class PolicyKind : std::uint8_t { validating, mutating };

// Immutable after it was read. The expressions of a stored policy compile, because they were validated.
struct AdmissionPolicy {
  struct ParamKind {
    std::string api_version{};
    std::string kind{};
  };
  struct Validation {
    cel::Program expression;
    std::optional<cel::Program> message_expression{};
    std::string message{};
    std::string reason{};  // "" or that of the refusal
  };
  struct Mutation {
    cel::Program expression;
    bool is_json_patch = false;  // otherwise an apply configuration
  };

  std::string name{};
  MatchCriteria match{};
  std::optional<ParamKind> param_kind{};
  std::vector<cel::Program> conditions{};
  std::vector<std::pair<std::string, cel::Program>> variables{};  // by name; each may read those before it
  std::vector<Validation> validations{};
  std::vector<std::pair<std::string, cel::Program>> annotations{};  // for the audit log, by key
  std::vector<Mutation> mutations{};
  bool ignores_failures = false;
  bool may_be_reinvoked = false;
  std::string error{};  // not empty: an expression does not compile, which is a failure of the policy
};

// Immutable after it was read.
struct PolicyBinding {
  struct ParamRef {
    std::string name{};  // "": the objects that `selector` selects
    std::string namespace_{};
    LabelSelector selector{};
    bool denies_if_missing = false;
  };

  std::string name{};
  std::string policy{};
  MatchCriteria match{};
  std::vector<std::string> actions{};  // "Deny", "Warn", "Audit"; only of a validating policy
  std::optional<ParamRef> params{};
};

[[nodiscard]] AdmissionPolicy read_policy(PolicyKind kind, const Object& policy);
[[nodiscard]] PolicyBinding read_policy_binding(const Object& binding);

// A policy with its bindings, sorted by name. A policy without a binding has no effect.
struct BoundPolicy {
  std::shared_ptr<const AdmissionPolicy> policy{};
  std::vector<PolicyBinding> bindings{};
};

}  // namespace pintle::apiserver
