// SPDX-License-Identifier: Apache-2.0
// published_type(): the CEL type of the objects of a kind.
#pragma once

#include <string>

#include <pintle/cel/type.hpp>
#include <pintle/json/document.hpp>

namespace pintle::apiserver {

// Returns the type of the values of a schema: that of a built-in kind, or the schema of a CustomResourceDefinition. A
// part that has no type, that is an int-or-string or a quantity, or that keeps unknown members is dyn. `name` is the
// name of the type; the names of the types below start with it.
[[nodiscard]] cel::Type published_type(json::View schema, const std::string& name);

}  // namespace pintle::apiserver
