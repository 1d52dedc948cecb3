// SPDX-License-Identifier: Apache-2.0
// Children of a workspace: their metadata, and the check of an object that exists already.
#pragma once

#include <string>

#include <pintle/patterns/guard/provider_controller.hpp>

namespace pintle::guard {

// Returns the child with the namespace of the workspace, the label with the name of the workspace, and an owner
// reference to the workspace behind the existing owner references. Error: invalid, if the child has another namespace
// or if the name of the workspace is too long for a label value.
[[nodiscard]] Result<json::Value> child_of(const Object& workspace, const std::string& instance_label,
                                           const json::Value& child, CreateOptions options);

// Returns whether one of the owner references of the object is a controller reference.
[[nodiscard]] bool has_controller(const Object& child);
// Succeeds if an existing object is a child of this workspace and will not disappear soon. Errors: `exists`, with the
// reason why the object is not a child; unavailable, if the object is being deleted or belongs to a former workspace of
// this name.
[[nodiscard]] Result<void> check_child(const Object& workspace, const std::string& instance_label, const Object& there,
                                       Error exists);

}  // namespace pintle::guard
