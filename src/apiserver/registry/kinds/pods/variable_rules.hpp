// SPDX-License-Identifier: Apache-2.0
// The rules for environment variables, and for the fields of a Pod that variables and files contain.
#pragma once

#include <string>
#include <vector>

#include <pintle/base/error.hpp>
#include <pintle/json/document.hpp>

namespace pintle::apiserver {

// Validates `env` and `envFrom` of a container; `field` is its path.
void validate_environment(json::View container, const std::string& field, std::vector<StatusCause>& causes);

enum class FieldUser { variable, file };

// A reference to a field of the Pod, and one to a resource of a container.
void validate_field_reference(json::View reference, FieldUser user, const std::string& field,
                              std::vector<StatusCause>& causes);
void validate_resource_reference(json::View reference, FieldUser user, const std::string& field,
                                 std::vector<StatusCause>& causes);

}  // namespace pintle::apiserver
