// SPDX-License-Identifier: Apache-2.0
// RBAC: derives the permissions of an operator from the declarations of its controllers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <pintle/json/value.hpp>
#include <pintle/manager/manager.hpp>
#include <pintle/webhook/admission.hpp>

namespace pintle {

// Returns the namespaces to watch in a cluster, unless a controller names others; empty: all.
[[nodiscard]] const std::vector<std::string>& namespaces_of(const ManagerOptions& options, std::string_view cluster);

// Returns the minimal roles of a manager with these controllers. They allow the manager to read the watched kinds; to
// write status, finalizers and children; to create Events; to use the Lease; to review the access to pages; to install
// CRDs other than foreign ones; to install webhook configurations; to set the authorities of conversion webhooks; and
// the additional rules of the controllers. There is a Role for each namespace to which the manager is restricted, and a
// ClusterRole for everything else. A kind without a described struct is assumed to be namespaced, and its plural
// follows the API conventions. If the namespace of the Lease is not set, it is assumed to be the watched one; if
// several are watched, the role for the Lease is a ClusterRole.
[[nodiscard]] std::vector<RbacRole> rbac_roles(const ManagerOptions& options,
                                               const std::vector<AnyController>& controllers,
                                               const std::vector<AnyAdmission>& admissions = {},
                                               const std::vector<AnyConversion>& conversions = {});

// Returns the role as an object.
[[nodiscard]] json::Value to_value(const RbacRole& role);

}  // namespace pintle
