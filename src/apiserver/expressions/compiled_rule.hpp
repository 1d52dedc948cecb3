// SPDX-License-Identifier: Apache-2.0
// CompiledRule: an entry of x-kubernetes-validations with its compiled expressions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <pintle/cel/program.hpp>

#include "object/schema/schema_node.hpp"
#include "schema_type.hpp"

namespace pintle::apiserver {

struct CompiledRule {
  const ValidationRule* source = nullptr;
  std::optional<cel::Program> program{};  // none if the rule is empty or has a mistake
  std::string mistake{};
  std::optional<cel::Program> message{};  // none if there is no messageExpression, or if it has a mistake
  std::string message_mistake{};
  std::string field{};  // fieldPath in the form of causes: "a.b[c]"
  bool uses_old_self = false;
  std::uint64_t max_cost = 0;  // of one evaluation, as estimated
  std::uint64_t max_message_cost = 0;
};

// Compiles a rule about values of a schema. The rule must outlive the result.
[[nodiscard]] CompiledRule compile_rule(const ValidationRule& rule, const SchemaNode& node, const SchemaType& type);

// The form of a fieldPath in causes. Nothing if it does not lead to a field of the schema.
[[nodiscard]] std::optional<std::string> field_of_path(const SchemaNode& node, std::string_view path);

// The message of a rule, or else the rule, without space at the ends.
[[nodiscard]] std::string describe_rule(const ValidationRule& rule);

}  // namespace pintle::apiserver
