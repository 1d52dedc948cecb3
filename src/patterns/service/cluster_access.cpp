// SPDX-License-Identifier: Apache-2.0
#include <pintle/patterns/service/cluster_access.hpp>

namespace pintle::service {

bool AccessOutcome::is_ready() const noexcept { return outcome.is_done() && !is_waiting; }

Result<std::optional<ClusterContext>> ClusterAccessProvider::access(std::string_view id, const ObjectKey& request,
                                                                    Context& ctx) {
  if (id == mcp_cluster_id) return mcp_cluster(request, ctx);
  if (id == workload_cluster_id) return workload_cluster(request, ctx);
  return std::nullopt;
}

Result<std::optional<AccessRequest>> ClusterAccessProvider::access_request(std::string_view id,
                                                                           const ObjectKey& request, Context& ctx) {
  if (id == mcp_cluster_id) return mcp_access_request(request, ctx);
  if (id == workload_cluster_id) return workload_access_request(request, ctx);
  return std::nullopt;
}

}  // namespace pintle::service
