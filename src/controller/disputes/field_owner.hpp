// SPDX-License-Identifier: Apache-2.0
// other_field_manager: the other client that wrote a field last.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <pintle/object/object.hpp>

namespace pintle {

// Returns the manager of the field in metadata.managedFields, other than those in `own`, with the newest time. "":
// there is none, or the object has no managedFields. If the pointer is "", it is the newest other manager of any field.
[[nodiscard]] std::string other_field_manager(const Object& object, const std::string& pointer,
                                              const std::vector<std::string_view>& own);

}  // namespace pintle
