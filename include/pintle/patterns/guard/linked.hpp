// Linked objects: children of a workspace, found by a label with its name.
#pragma once

#include <string>
#include <string_view>

#include <pintle/controller/source.hpp>

namespace pintle::guard {

// The label with the name of the workspace that ProviderController::create() gives to a child.
inline constexpr std::string_view default_instance_label = "pintle.dev/instance";

// A kind whose objects wake the workspace that this label of theirs names whenever they change. The workspace is in the
// same namespace, or in none if its kind has cluster scope. Gives the right to read them; to make and delete them, own
// the kind: `owns = {Pod::type}`.
[[nodiscard]] Watches linked(GroupVersionKind kind, std::string label = std::string(default_instance_label));

}  // namespace pintle::guard
