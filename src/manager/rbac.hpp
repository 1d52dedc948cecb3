// RBAC: the rights that an operator needs, from what its controllers declare.
#pragma once

#include <vector>

#include <pintle/manager/manager.hpp>

namespace pintle {

// The least a manager with these controllers needs: to read what it watches; to write status, finalizers and children;
// to send events; its Lease; to ask who may see its pages; to install its definitions, unless that is somebody else's;
// and what its controllers say they need besides. A Role in each namespace it is confined to, and a ClusterRole for the
// rest. Plurals of kinds that no struct describes follow the API conventions, and such kinds are taken to have a
// namespace. A Lease whose namespace is not given is looked for where the manager watches.
[[nodiscard]] std::vector<RbacRole> rbac_roles(const ManagerOptions& options,
                                               const std::vector<ControllerSpec>& controllers);

}  // namespace pintle
