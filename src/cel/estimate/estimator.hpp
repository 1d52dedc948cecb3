// SPDX-License-Identifier: Apache-2.0
// estimate(): the cost of a checked expression.
#pragma once

#include <pintle/cel/cost.hpp>

#include "cel/check/checked.hpp"
#include "range.hpp"

namespace pintle::cel {

[[nodiscard]] Range estimate(const CheckedAst& checked, const MaxSize& max_size);

}  // namespace pintle::cel
