// SPDX-License-Identifier: Apache-2.0
// Match conditions: the CEL expressions that decide whether a webhook receives a request.
#pragma once

#include <string_view>

#include <pintle/base/result.hpp>
#include <pintle/cel/program.hpp>

namespace pintle::apiserver {

// Compiles an expression over `object`, `oldObject`, `request`, `namespaceObject` and `authorizer`. Error: invalid,
// with the message of kube-apiserver.
[[nodiscard]] Result<cel::Program> compile_match_condition(std::string_view expression);

}  // namespace pintle::apiserver
