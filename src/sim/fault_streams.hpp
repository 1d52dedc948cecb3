// SPDX-License-Identifier: Apache-2.0
// Streams that wrap another stream and inject one fault each.
#pragma once

#include <memory>
#include <string>

#include <pintle/base/executor.hpp>
#include <pintle/base/time.hpp>
#include <pintle/http/handler.hpp>
#include <pintle/sim/fault_plan.hpp>

namespace pintle::http {

using BodyStreamPtr = std::unique_ptr<BodyStream>;

// Returns a stream of a complete body.
[[nodiscard]] BodyStreamPtr stream_of(std::string body);

[[nodiscard]] BodyStreamPtr repeating(BodyStreamPtr inner, const RepeatEvent& repeat);
[[nodiscard]] BodyStreamPtr stalling(BodyStreamPtr inner, const StallEvents& stall, const Clock& clock);
[[nodiscard]] BodyStreamPtr cutting(BodyStreamPtr inner, const TruncateBody& cut, const Clock& clock);
[[nodiscard]] BodyStreamPtr splitting(BodyStreamPtr inner, const SplitBody& split);

}  // namespace pintle::http
