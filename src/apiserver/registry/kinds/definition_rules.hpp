// SPDX-License-Identifier: Apache-2.0
// The rules of a CustomResourceDefinition about its names, and about what its versions declare beside their schemas.
#pragma once

#include <vector>

#include <pintle/base/error.hpp>
#include <pintle/json/document.hpp>

namespace pintle::apiserver {

// Each adds a cause for each mistake in a definition.
void validate_definition_group(json::View definition, std::vector<StatusCause>& causes);
void validate_definition_names(json::View names, const std::string& field, bool are_required,
                               std::vector<StatusCause>& causes);
// Subresources, columns, selectable fields and warnings.
void validate_version_details(json::View versions, std::vector<StatusCause>& causes);
// A group of Kubernetes needs an annotation. `old` is the definition before an update, or missing.
void validate_approval(json::View definition, json::View old, std::vector<StatusCause>& causes);
// With the subresource status, the root of the schema may have few members. `place` is that of the schema.
void validate_schema_root(json::View schema, const std::string& place, std::vector<StatusCause>& causes);

}  // namespace pintle::apiserver
