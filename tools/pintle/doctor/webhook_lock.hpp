// SPDX-License-Identifier: Apache-2.0
// Whether a webhook receives the writes without which it cannot start again.
#pragma once

#include <string>

#include <pintle/base/result.hpp>
#include <pintle/json/document.hpp>

#include "doctor/cluster_reader.hpp"

namespace pintle::doctor {

// Returns the essential resources ("pods, leases") of the namespace of the webhook's service, or of the cluster, that
// the webhook receives; "" if there are none, or if its failurePolicy is Ignore. A webhook with a URL is outside of the
// cluster, and one with an objectSelector or matchConditions counts as restricted. Error: that of a read of the
// namespace.
[[nodiscard]] Result<std::string> locked_resources(ClusterReader& cluster, json::View webhook);

}  // namespace pintle::doctor
