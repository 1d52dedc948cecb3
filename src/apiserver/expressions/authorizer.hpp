// SPDX-License-Identifier: Apache-2.0
// The CEL library for `authorizer`, with which expressions check the rights of the sender.
#pragma once

#include <pintle/cel/function.hpp>
#include <pintle/cel/value.hpp>

namespace pintle::apiserver {

// Declares the variable `authorizer` and its functions. Every check is allowed, because this server has no roles.
[[nodiscard]] cel::Library authorizer_library();

// Returns the value of `authorizer`.
[[nodiscard]] cel::Value make_authorizer();

}  // namespace pintle::apiserver
