// SPDX-License-Identifier: Apache-2.0
// The CEL library for `authorizer`, with which expressions check the rights of the sender.
#pragma once

#include <vector>

#include <pintle/cel/function.hpp>
#include <pintle/cel/value.hpp>

namespace pintle::apiserver {

// Declares the functions of authorizers. Every check is allowed, because this server has no roles.
[[nodiscard]] cel::Library authorizer_library();
// The variables `authorizer` and `authorizer.requestResource`, which some expressions must not name.
[[nodiscard]] std::vector<cel::Variable> authorizer_variables();

// Returns the value of `authorizer`.
[[nodiscard]] cel::Value make_authorizer();
// Returns the value of `authorizer.requestResource`, which checks the resource of the request.
[[nodiscard]] cel::Value make_request_resource();

}  // namespace pintle::apiserver
