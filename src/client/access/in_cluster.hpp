// The name of a cluster that was found by the service account of a pod.
#pragma once

#include <string_view>

namespace pintle {

inline constexpr std::string_view in_cluster_origin = "in-cluster";  // Cluster::origin

}  // namespace pintle
