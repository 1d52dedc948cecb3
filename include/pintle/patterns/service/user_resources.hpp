// SPDX-License-Identifier: Apache-2.0
// User resources: objects that the users of a service have created, and that they must remove before the service can be
// deleted.
#pragma once

#include <string_view>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/controller/context.hpp>
#include <pintle/controller/outcome.hpp>
#include <pintle/object/kind.hpp>

namespace pintle::service {

inline constexpr std::string_view deletion_blocked_condition = "DeletionBlocked";
inline constexpr std::string_view reason_user_resources_present = "UserResourcesPresent";

/// To be called in Reconciler::remove before anything is removed. While the cluster has an object of one of these
/// kinds, the phase becomes Terminating, the conditions Ready and DeletionBlocked get the reason UserResourcesPresent
/// and name one such object, and the result is a requeue after 10 seconds. Otherwise, removes the condition
/// DeletionBlocked and returns `done`. A kind that the cluster does not serve has no objects. Reads one object of each
/// kind from the server.
[[nodiscard]] PINTLE_EXPORT Outcome wait_for_user_resources(ClusterContext& cluster,
                                                            const std::vector<GroupVersionKind>& kinds, Context& ctx);

}  // namespace pintle::service
