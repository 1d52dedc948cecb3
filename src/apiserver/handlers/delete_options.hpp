// SPDX-License-Identifier: Apache-2.0
// DeleteOptions: read from the body or from the query.
#pragma once

#include "apiserver/call/call.hpp"
#include "apiserver/objects/write.hpp"

namespace pintle::apiserver {

// 422: an invalid option, such as an unknown policy. 400: the body cannot be read.
[[nodiscard]] StatusOr<DeleteOptions> delete_options(const Call& call);

// Reads the options from a body.
[[nodiscard]] StatusOr<DeleteOptions> delete_options_in(const json::Value& body);

}  // namespace pintle::apiserver
