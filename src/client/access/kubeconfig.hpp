// From kubeconfig files to a Cluster.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/result.hpp>
#include <pintle/client/cluster.hpp>

namespace pintle {

// The cluster of a context of several files merged; see load_kubeconfig. Each file must be there.
[[nodiscard]] Result<Cluster> load_kubeconfigs(const std::vector<std::string>& files, std::string_view context);

}  // namespace pintle
