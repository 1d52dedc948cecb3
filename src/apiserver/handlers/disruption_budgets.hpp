// SPDX-License-Identifier: Apache-2.0
// Disruption budgets: decide whether a Pod may be evicted, and count the evictions.
#pragma once

#include "apiserver/call/service.hpp"
#include "apiserver/registry/refusal.hpp"

namespace pintle::apiserver {

// Counts the eviction of a Pod in the status of its budget, which a controller or a client has written. 429: the budget
// allows no disruption now. 500: two budgets select the Pod. `dry_run`: nothing is stored.
[[nodiscard]] StatusOr<void> count_disruption(Service& service, const Object& pod, bool dry_run);

}  // namespace pintle::apiserver
