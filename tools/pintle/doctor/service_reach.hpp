// SPDX-License-Identifier: Apache-2.0
// Whether the API server can call a webhook: its service, the endpoints of the service and the trust bundle.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <pintle/base/result.hpp>
#include <pintle/json/document.hpp>

#include "doctor/cluster_reader.hpp"

namespace pintle::doctor {

struct ReachProblem {
  std::string detail{};
  std::string action{};
  bool is_broken = true;  // false: the webhook still works
};

// `config` is the clientConfig of a webhook; `edit` is the command that edits the object with it. Error: that of a read
// of the service or of its EndpointSlices.
[[nodiscard]] Result<std::vector<ReachProblem>> check_reach(ClusterReader& cluster, json::View config,
                                                            const std::string& edit);

}  // namespace pintle::doctor
