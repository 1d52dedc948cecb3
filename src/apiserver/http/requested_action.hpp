// SPDX-License-Identifier: Apache-2.0
// The action of a request, for its authorization.
#pragma once

#include <pintle/http/message.hpp>

#include "apiserver/access/action.hpp"

namespace pintle::apiserver {

// Reads method, path and parameters only, so that a request is refused before anything is looked up. The resource need
// not exist.
[[nodiscard]] Action requested_action(const http::Request& request, const http::Target& target);

}  // namespace pintle::apiserver
