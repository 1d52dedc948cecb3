// User resources: what users have made of a service, which they have to remove before it can go.
#pragma once

#include <string_view>
#include <vector>

#include <pintle/controller/context.hpp>
#include <pintle/controller/outcome.hpp>
#include <pintle/object/kind.hpp>

namespace pintle::service {

inline constexpr std::string_view deletion_blocked_condition = "DeletionBlocked";
inline constexpr std::string_view reason_user_resources_present = "UserResourcesPresent";

// For the `remove` of a domain, before it takes anything away. While the cluster has an object of one of these kinds,
// the status is terminating with the reason UserResourcesPresent, and so is the condition DeletionBlocked, both naming
// one; and it is looked at again in 10 seconds. Settled once there is none, and the condition goes. A kind that the
// cluster does not serve has no objects. Asks the server for one object of each kind.
[[nodiscard]] Outcome wait_for_user_resources(ClusterContext& cluster, const std::vector<GroupVersionKind>& kinds,
                                              Context& ctx);

}  // namespace pintle::service
