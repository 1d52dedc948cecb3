// SPDX-License-Identifier: Apache-2.0
// SchemaRules: the rules in CEL of a schema, x-kubernetes-validations.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <pintle/base/error.hpp>
#include <pintle/json/document.hpp>
#include <pintle/object/schema/structural.hpp>

namespace pintle::apiserver {

struct RuleNode;

// The compiled rules of one version of a kind. Immutable, so thread-safe.
class SchemaRules {
 public:
  // Returns null if the schema has no rules.
  [[nodiscard]] static std::shared_ptr<const SchemaRules> compile(const StructuralSchema& schema);

  // Adds a cause for each rule that does not hold. `old` is the object before an update, or missing; the failure of a
  // rule without oldSelf is only a warning if the update does not change the value of the rule.
  void validate(json::View object, json::View old, std::vector<StatusCause>& causes,
                std::vector<std::string>& warnings) const;

  SchemaRules(StructuralSchema schema, std::unique_ptr<const RuleNode> root);
  ~SchemaRules();
  SchemaRules(const SchemaRules&) = delete;
  SchemaRules& operator=(const SchemaRules&) = delete;

 private:
  const StructuralSchema schema_;  // to which the nodes refer
  const std::unique_ptr<const RuleNode> root_;
};

// Adds the causes for which kube-apiserver refuses the rules of a schema: malformed entries, mistakes in expressions,
// and costs. `place` is the path of the schema. `limits_each`: each expression must be within its limit, not only all
// of them together.
void check_schema_rules(const StructuralSchema& schema, const std::string& place, bool limits_each,
                        std::vector<StatusCause>& causes);
// Adds a cause for each rule that a default does not fulfil. The rules of the schema must be without mistakes.
void check_schema_defaults(const StructuralSchema& schema, const std::string& place, std::vector<StatusCause>& causes);

}  // namespace pintle::apiserver
