// RBAC: the rights that an operator needs, from what its controllers declare.
#pragma once

#include <string>
#include <vector>

#include <pintle/json/value.hpp>
#include <pintle/runtime/manager.hpp>

namespace pintle {

// The least a manager with these controllers needs: to read what it watches; to write status, finalizers and children;
// to send events; its Lease; to ask who may see its pages; and to install its definitions, unless that is somebody
// else's. A ClusterRole; a manager of one namespace has a Role there, and a ClusterRole for what has no namespace. What
// a reconcile does through Context::client() beyond that, it cannot know. Plurals of kinds that no struct describes
// follow the API conventions.
[[nodiscard]] std::vector<json::Value> rbac_roles(const ManagerOptions& options,
                                                  const std::vector<ControllerSpec>& controllers);

// The same as YAML documents.
[[nodiscard]] std::string print_rbac(const ManagerOptions& options, const std::vector<ControllerSpec>& controllers);

}  // namespace pintle
