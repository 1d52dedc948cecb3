// SPDX-License-Identifier: Apache-2.0
// find_constants(): what kube-apiserver evaluates when it makes a program.
#pragma once

#include <pintle/base/result.hpp>

#include "cel/check/checked.hpp"

namespace pintle::cel {

// Marks the nodes whose values kube-apiserver computes in advance, so that they cost nothing: names of types, lists and
// maps of constants, and conversions of constants. Error: invalid, with the reason `instantiation_failed`, if such a
// conversion fails or a literal pattern of find() or findAll() is not valid.
[[nodiscard]] Result<void> find_constants(CheckedAst& checked);

}  // namespace pintle::cel
