// SPDX-License-Identifier: Apache-2.0
// The uids of objects and of reviews.
#pragma once

#include <string>

#include <pintle/base/executor.hpp>

namespace pintle::apiserver {

// Returns a random uid (RFC 4122, version 4) from the seed of the executor.
[[nodiscard]] std::string make_uid(Executor& executor);

}  // namespace pintle::apiserver
