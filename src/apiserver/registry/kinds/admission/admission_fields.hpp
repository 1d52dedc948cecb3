// SPDX-License-Identifier: Apache-2.0
// The rules that webhook configurations and admission policies share.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/error.hpp>
#include <pintle/json/document.hpp>

#include "apiserver/expressions/expression_compiler.hpp"

namespace pintle::apiserver {

// Each adds the errors of one member to `causes`; `field` is its path.
// Refuses a text that is set and not one of these.
void validate_choice(json::View value, const std::string& field, const std::vector<std::string>& supported,
                     std::vector<StatusCause>& causes);
void validate_rule(json::View rule, const std::string& field, std::vector<StatusCause>& causes);
// The match conditions.
void validate_conditions(json::View conditions, const std::string& field, const ExpressionCompiler& compiler,
                         std::vector<StatusCause>& causes);

// The cause for an expression that does not compile.
[[nodiscard]] StatusCause wrong_expression(std::string field, std::string_view expression, const Error& error);

}  // namespace pintle::apiserver
