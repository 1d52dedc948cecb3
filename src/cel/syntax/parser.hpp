// SPDX-License-Identifier: Apache-2.0
// parse(): the grammar of CEL.
#pragma once

#include <span>

#include <pintle/cel/environment.hpp>

#include "ast.hpp"
#include "issues.hpp"
#include "macro.hpp"

namespace pintle::cel {

// Returns the tree of an expression. If there are issues, the tree is incomplete and must not be used. The depth of the
// tree and the number of its nodes are within the limits.
[[nodiscard]] Ast parse(const Source& source, std::span<const Macro> macros, const CompileLimits& limits,
                        Issues& issues);

}  // namespace pintle::cel
