// DeleteOptions: from the body, or from the query.
#pragma once

#include "apiserver/call/call.hpp"
#include "apiserver/objects/write.hpp"

namespace pintle::apiserver {

// 422 for a policy that is none, 400 for a body that cannot be read.
[[nodiscard]] Answer<DeleteOptions> delete_options(const Call& call);

// Those that a body holds.
[[nodiscard]] Answer<DeleteOptions> delete_options_in(const json::Value& body);

}  // namespace pintle::apiserver
