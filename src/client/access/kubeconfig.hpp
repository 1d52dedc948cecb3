// SPDX-License-Identifier: Apache-2.0
// Loads a Cluster from several kubeconfig files.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/result.hpp>
#include <pintle/client/cluster.hpp>

namespace pintle {

// The same as load_kubeconfig() for several files, which are merged. Each file must exist.
[[nodiscard]] Result<Cluster> load_kubeconfigs(const std::vector<std::string>& files, std::string_view context,
                                               std::optional<WallTime> now = {});

}  // namespace pintle
