// DeleteOptions: from the body, or from the query.
#pragma once

#include <optional>

#include "../http/call.hpp"

namespace pintle::apiserver {

// 422 for a policy that is none, 400 for a body that cannot be read.
[[nodiscard]] Answer<DeleteOptions> delete_options(const Call& call);

// A gracePeriodSeconds, which may be missing. 400 for what is no integer.
[[nodiscard]] Answer<std::optional<std::int64_t>> grace_in(const json::Value* seconds);

}  // namespace pintle::apiserver
