// SPDX-License-Identifier: Apache-2.0
// Linked objects: children of a workspace that carry a label with its name.
#pragma once

#include <string>
#include <string_view>

#include <pintle/base/annotations.hpp>
#include <pintle/controller/source.hpp>

namespace pintle::guard {

/// The label that ProviderController::create() adds to each child; its value is the name of the workspace.
inline constexpr std::string_view default_instance_label = "pintle.dev/instance";

/// A watched kind. A change of one of its objects enqueues the workspace that the label of the object names. The
/// workspace has the namespace of the object, or no namespace if the kind of the workspace is cluster-scoped. This
/// declaration implies the RBAC rules to read the objects. If the providers create and delete objects of the kind, add
/// the kind to Controller::owns, for example `Pod::type`; this implies the RBAC rules for these writes.
[[nodiscard]] PINTLE_EXPORT Watches watch_linked(GroupVersionKind kind,
                                                 std::string label = std::string(default_instance_label));

}  // namespace pintle::guard
