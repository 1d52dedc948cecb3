// SPDX-License-Identifier: Apache-2.0
// ExpressionCompiler: compiles the CEL expressions of webhook configurations and admission policies.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pintle/base/result.hpp>
#include <pintle/cel/program.hpp>
#include <pintle/cel/type.hpp>

namespace pintle::apiserver {

// The use of an expression determines its type and the variables that it may name. `object`, `oldObject`, `request`
// and `namespaceObject` are always declared.
enum class ExpressionUse : std::uint8_t {
  condition,   // bool; without `variables`
  validation,  // bool
  message,     // string; without `authorizer`
  annotation,  // string or null
  variable,    // any type
  apply,       // Object
  json_patch,  // list(JSONPatch)
};

struct ExpressionScope {
  bool has_params = false;     // declares `params`: the policy has a paramKind
  bool has_variables = false;  // declares `variables`, also if there are none yet
  // The types of `object` and `oldObject`, and of `params`.
  cel::Type object = cel::Type::dyn();
  cel::Type params = cel::Type::dyn();
};

// The compiler of one policy. Each variable is declared for the expressions that are compiled after it.
class ExpressionCompiler {
 public:
  explicit ExpressionCompiler(ExpressionScope scope = {}) : scope_(std::move(scope)) {}

  // Error: invalid, with the message of kube-apiserver.
  [[nodiscard]] Result<cel::Program> compile(ExpressionUse use, std::string_view text) const;
  // Compiles and declares a variable. It is declared even if its expression is wrong.
  [[nodiscard]] Result<cel::Program> add_variable(const std::string& name, std::string_view text);

 private:
  const ExpressionScope scope_;
  std::vector<cel::Field> variables_{};
};

}  // namespace pintle::apiserver
