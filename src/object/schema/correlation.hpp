// SPDX-License-Identifier: Apache-2.0
// Correlation: which earlier value belongs to a value of an update, and whether it changed.
#pragma once

#include <cstddef>

#include <pintle/json/document.hpp>

#include "schema_node.hpp"

namespace pintle {

// The element of `others` that has the same keys as an element of a list map. Missing if there is none, and for other
// lists, whose elements have no identity. `index` is the place where the element is searched first.
[[nodiscard]] json::View old_element(const SchemaNode& list, json::View element, std::size_t index, json::View others);

// Whether an update leaves a value as it is, as kube-apiserver compares values: elements of a list map may change their
// order, and an object with a member that is not in the schema counts as changed.
[[nodiscard]] bool is_unchanged(const SchemaNode& node, json::View value, json::View old);

}  // namespace pintle
