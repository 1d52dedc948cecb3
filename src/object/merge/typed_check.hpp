// SPDX-License-Identifier: Apache-2.0
// Compares the fields and types of an applied configuration with its schema.
#pragma once

#include <string>
#include <vector>

#include <pintle/json/document.hpp>
#include <pintle/json/value.hpp>

namespace pintle {

// Returns the first 100 errors of a configuration: fields that the schema does not declare, values of another type, and
// items of a set or map that lack their key or have that of another item. Each is a path and a message, as
// kube-apiserver prints it: ".spec.replica: field not declared in schema". An object whose schema has no members may
// have any.
[[nodiscard]] std::vector<std::string> typed_errors(const json::Value& config, json::View schema);

}  // namespace pintle
