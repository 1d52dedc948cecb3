// What makes an object a child of a workspace.
#pragma once

#include <string>

#include <pintle/patterns/guard/provider_controller.hpp>

namespace pintle::guard {

// The child with the namespace of the workspace, the label with its name, and a reference to it after those of other
// owners. Error: invalid, for another namespace, for a name that is too long for a label.
[[nodiscard]] Result<json::Value> child_of(const Object& workspace, const std::string& instance_label,
                                           const json::Value& child, CreateOptions options);

// Whether it names a controller among its owners.
[[nodiscard]] bool has_controller(const Object& child);
// Whether an object that is there already is a child of this workspace and stays. Errors: `exists`, saying whose it is;
// unavailable, if it is about to go.
[[nodiscard]] Result<void> check_child(const Object& workspace, const std::string& instance_label, const Object& there,
                                       Error exists);

}  // namespace pintle::guard
