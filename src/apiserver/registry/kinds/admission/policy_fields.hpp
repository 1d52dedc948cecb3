// SPDX-License-Identifier: Apache-2.0
// The rules that validating and mutating admission policies and their bindings share.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/error.hpp>
#include <pintle/json/document.hpp>
#include <pintle/json/value.hpp>

#include "apiserver/expressions/expression_compiler.hpp"

namespace pintle::apiserver {

// Sets the defaults of matchConstraints or matchResources, if they are present.
void set_match_defaults(json::Value& policy, const std::string& pointer);

// Each adds the errors of one member to `causes`; `field` is its path.
void validate_expression(const ExpressionCompiler& compiler, ExpressionUse use, std::string_view expression,
                         const std::string& field, std::vector<StatusCause>& causes);
// Also declares the variables in `compiler`.
void validate_variables(json::View variables, const std::string& field, ExpressionCompiler& compiler,
                        std::vector<StatusCause>& causes);
void validate_param_kind(json::View kind, const std::string& field, std::vector<StatusCause>& causes);
void validate_match_resources(json::View resources, const std::string& field, std::vector<StatusCause>& causes);
// The members that policies of both kinds have.
void validate_policy(json::View spec, const ExpressionCompiler& conditions, std::vector<StatusCause>& causes);
// The members that bindings of both kinds have.
void validate_policy_binding(json::View spec, std::vector<StatusCause>& causes);

// The cells of the tables.
[[nodiscard]] std::string param_kind_cell(json::View spec);
[[nodiscard]] std::string param_ref_cell(json::View spec);

}  // namespace pintle::apiserver
