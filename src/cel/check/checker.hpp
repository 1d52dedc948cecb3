// SPDX-License-Identifier: Apache-2.0
// check(): finds the types of an expression, and the declarations that it names.
#pragma once

#include "cel/syntax/ast.hpp"
#include "cel/syntax/issues.hpp"
#include "checked.hpp"
#include "declarations.hpp"

namespace pintle::cel {

// If there are issues, the result is incomplete and must not be evaluated.
[[nodiscard]] CheckedAst check(Ast tree, const Declarations& declarations, Issues& issues);

// Checks the literals of an expression without other issues: the elements of lists and maps must have one type, and
// texts of durations, timestamps and regular expressions must be valid.
void check_literals(const CheckedAst& checked, Issues& issues);

}  // namespace pintle::cel
